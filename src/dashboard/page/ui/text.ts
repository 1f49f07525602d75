/** A value as people read it: text as it is, anything else as JSON. */
export const displayed = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const sentence = (message: string): string => (/[.!?]\)?$/.test(message) ? message : `${message}.`);

export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

export const formatTime = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+/, '').replace(/Z$/, ' UTC');

export const formatMinute = (iso: string): string => formatTime(iso).replace(/:\d\d UTC$/, ' UTC');

export const shortDuration = (milliseconds: number): string =>
  `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;

export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  const units: [string, number][] = [
    ['d', Math.floor(seconds / 86_400)],
    ['h', Math.floor(seconds / 3600) % 24],
    ['min', Math.floor(seconds / 60) % 60],
    ['s', seconds % 60],
  ];
  const parts = units.filter(([, count]) => count > 0).slice(0, 2);
  return parts.map(([unit, count]) => `${count} ${unit}`).join(' ') || '0 s';
}
