/** A time for people: date and time of day in UTC, as in the API. */
export const formatTime = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+/, '').replace(/Z$/, ' UTC');

/** The same without seconds, for displays that are not updated every second. */
export const formatMinute = (iso: string): string => formatTime(iso).replace(/:\d\d UTC$/, ' UTC');

/** A duration in its two largest units, e.g. `2 d 3 h`. */
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
