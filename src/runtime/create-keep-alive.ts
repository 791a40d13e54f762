/** Keeps the process alive between `begin` and `end`, because the timers that somebody waits for do not. */
export function createKeepAlive(): { begin(): void; end(): void } {
  let open = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      if (open++ === 0) timer = setInterval(() => undefined, 2 ** 31 - 1);
    },
    end() {
      if (--open === 0) clearInterval(timer);
    },
  };
}
