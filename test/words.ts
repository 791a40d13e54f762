/** The words of a text, which may go on over lines: a long list of cases that are one word each. */
export const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
