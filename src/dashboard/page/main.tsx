import { render } from 'preact';
import { WorldProvider } from './api/world.tsx';
import { App } from './app.tsx';
import { Announcer } from './ui/action.tsx';

const root = document.getElementById('app');
if (root)
  render(
    <WorldProvider>
      <Announcer>
        <App />
      </Announcer>
    </WorldProvider>,
    root,
  );
