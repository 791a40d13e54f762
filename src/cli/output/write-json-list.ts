import { visibleText } from '../../domain/text.js';
import { writeAndWait } from './write.js';

/** One JSON object with one list, written page by page: its length does not matter. Ends early when nobody reads it. */
export async function writeJsonList(name: string, pages: AsyncIterable<readonly object[]>): Promise<void> {
  let separator = `{\n  ${JSON.stringify(name)}: [\n    `;
  for await (const page of pages) {
    const text = page.map((each) => JSON.stringify(each)).join(',\n    ');
    if (!(await writeAndWait(separator + visibleText(text)))) return;
    separator = ',\n    ';
  }
  await writeAndWait(separator.startsWith('{') ? `{ ${JSON.stringify(name)}: [] }\n` : '\n  ]\n}\n');
}
