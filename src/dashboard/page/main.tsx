import { render } from 'preact';
import { WorldProvider } from './api/world.tsx';
import { App } from './app.tsx';
import { Announcer } from './ui/announce.tsx';

const place = document.getElementById('app');
if (place)
  render(
    <WorldProvider>
      <Announcer>
        <App />
      </Announcer>
    </WorldProvider>,
    place,
  );
