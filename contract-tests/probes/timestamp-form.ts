import { type Probe, Undetermined } from './probe.ts';
import { seenRecords } from './records.ts';

function formOf(time: string): string | undefined {
  if (/T\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) return 'z-millis';
  return /T\d\d:\d\d:\d\d\.\d{6}\+00:00$/.test(time) ? 'offset-micros' : undefined;
}

/** Every date-time of every record seen has to agree. */
export const timestampForm: Probe = {
  gap: 'timestamp-form',
  sends: 'nothing of its own: the user of the SSO login, the API keys, the recording',
  writes: false,
  needs: ['actors.admin'],
  async observe(session) {
    const times = (await seenRecords(session)).flatMap(({ record }) => [record.created_at, record.updated_at]);
    const forms = new Set(times.filter((time) => typeof time === 'string').map(formOf));
    const [form] = forms;
    if (forms.size === 1 && form !== undefined) return form;
    throw new Undetermined(
      forms.size > 1 ? 'date-times are written in several forms' : 'there is another form of date-times',
    );
  },
};
