import { defect } from './row.ts';
import * as says from './statements.ts';

export const updateForbiddenDefects = [
  defect(
    'analysis-sets-processing',
    'conditional',
    says.NO_STATUS_INPUT,
    'Sending analysis puts the recording back to "processing"',
    {
      saved: (record, { update }) => (update?.body.analysis ? { ...record, status: 'processing' } : record),
    },
  ),
  defect(
    'third-update-fails-recording',
    'stateful',
    says.NO_STATUS_INPUT,
    'The third update of a recording sets its status to "failed"',
    {
      saved: (record, { world }) =>
        world.memory.count(`updates:${record.id}`) === 3 ? { ...record, status: 'failed' } : record,
    },
  ),
  defect(
    'language-written-with-title',
    'conditional',
    says.WRITABLE,
    'A language in the body is taken over when a title is sent too',
    {
      saved: (record, { rawBody }) =>
        typeof rawBody.language === 'string' && rawBody.title !== undefined
          ? { ...record, language: rawBody.language }
          : record,
    },
  ),
  defect(
    'diarization-written-by-pat',
    'conditional',
    says.WRITABLE,
    'With a PAT, diarization_enabled in the body is taken over',
    {
      saved: (record, { rawBody, caller }) =>
        caller?.via === 'pat' && typeof rawBody.diarization_enabled === 'boolean'
          ? { ...record, diarizationEnabled: rawBody.diarization_enabled }
          : record,
    },
  ),
  defect(
    'filename-follows-title',
    'conditional',
    says.WRITABLE,
    'A title that ends like a file name renames the file',
    {
      saved: (record, { update }) =>
        /\.[a-z0-9]{3}$/.test(update?.body.title ?? '') ? { ...record, filename: update?.body.title ?? '' } : record,
    },
  ),
  defect(
    'admin-update-takes-ownership',
    'conditional',
    says.OWNER,
    "An administrator's update of somebody else's recording makes the administrator its owner",
    {
      saved: (record, { caller }) => (caller?.user.admin ? { ...record, userId: caller.user.id } : record),
    },
  ),
];
