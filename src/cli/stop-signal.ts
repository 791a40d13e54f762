/**
 * Aborts at the first SIGINT or SIGTERM, so that what is under way can be finished; the second one leaves at once.
 * What is being finished says so itself.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return controller.signal;
}
