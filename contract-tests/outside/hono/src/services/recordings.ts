import { Refusal } from '../errors.ts';
import type { Services } from '../hooks.ts';
import type { Recording, RecordingPatch } from '../model.ts';
import type { World } from '../world.ts';

/** Write the fields that were sent, and only those. */
export function applyPatch(recording: Recording, patch: RecordingPatch): void {
  if (patch.title !== undefined) recording.title = patch.title;
  if (patch.kb_folder_id !== undefined) recording.kbFolderId = patch.kb_folder_id;
  if (patch.kb_document_id !== undefined) recording.kbDocumentId = patch.kb_document_id;
  if (patch.summary !== undefined) recording.summary = patch.summary;
  if (patch.analysis !== undefined) recording.analysis = patch.analysis;
  if (Object.keys(patch).length > 0) recording.updatedAt = Date.now();
}

export const recordings = (world: World): Pick<Services, 'update' | 'showRecording'> => ({
  /** Owners and administrators may write. */
  async update({ principal, id, patch }) {
    const recording = world.store.recordings.find((r) => r.id === id);
    if (!recording) throw new Refusal(404, 'not_found', 'Recording not found');
    if (recording.userId !== principal.user.id && principal.user.role !== 'admin') {
      throw new Refusal(403, 'forbidden', 'Forbidden');
    }
    applyPatch(recording, patch);
    return { ...recording };
  },

  async showRecording({ recording }) {
    return {
      id: recording.id,
      title: recording.title,
      filename: recording.filename,
      status: recording.status,
      method: recording.method,
      quality: recording.quality,
      language: recording.language,
      diarization_enabled: recording.diarizationEnabled,
      user_id: recording.userId,
      created_at: world.settings.timestamp(recording.createdAt),
      updated_at: world.settings.timestamp(recording.updatedAt),
    };
  },
});
