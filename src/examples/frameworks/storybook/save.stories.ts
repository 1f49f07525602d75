import type { Meta, StoryObj } from '@storybook/html-vite';
import type { MswMock } from 'platform-mock/msw';
import { startApp } from '../../msw-page/app.ts';

declare const window: { readonly mock: MswMock };

export default { title: 'Save a title' } satisfies Meta;

function showForm(): HTMLElement {
  const form = document.createElement('form');
  form.innerHTML = '<label>Title <input /></label> <button type="button" disabled>Save</button> <output></output>';
  return form;
}

const story = (world: string, fault?: string): StoryObj => ({
  loaders: async () => {
    const { control } = await window.mock.sandbox(world);
    if (fault) await control.PUT('/faults/{fault}', { params: { path: { fault } } });
  },
  render: showForm,
  play: ({ canvasElement }) => startApp(`/api/~${world}`, canvasElement),
});

export const Saved = story('saved');
export const Refused = story('refused', 'update-fails-after-commit');
