const MARK = / run ([0-9a-f]{8})\b/;

export const markedTitle = (text: string, mark: string): string => `${text} run ${mark}`;

/** The mark of the run that wrote a title; undefined where it has none. */
export const markIn = (title: unknown) => (typeof title === 'string' ? MARK.exec(title)?.[1] : undefined);
