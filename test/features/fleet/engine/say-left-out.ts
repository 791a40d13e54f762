/** In `npm test`, which also runs on a Node without the engine. */
export default function sayLeftOut(): void {
  process.stdout.write(
    'Left to the pass with Node 24 (npm run test:fleet): the engine of the fleet, which needs Node 22.12 or later.\n',
  );
}
