import type { Part } from '../part.ts';
import { type GoalServer, Peers, serverNames } from '../servers.ts';
import { median, ratios } from '../statistics.ts';
import { short, table } from '../table.ts';

/** Process start to first response, of all servers in turn. The first start of each, which fills caches of files, does not count. */
export const startPart: Part = {
  name: 'start',
  async measure({ starts }) {
    using peers = await Peers.prepare();
    const samples = new Map(serverNames.map((name): [GoalServer, number[]] => [name, []]));
    for (let round = -1; round < starts; round += 1)
      for (const name of serverNames) {
        const server = await peers.start(name);
        if (round >= 0) samples.get(name)?.push(server.startedIn);
        await server.stop();
      }
    const of = (name: GoalServer) => samples.get(name) ?? [];
    const ours = of('platform-mock');
    const rows = serverNames.map((name) => [
      name,
      short(median(of(name))),
      name === 'platform-mock' ? '' : `${short(median(ratios(ours, of(name))))}x`,
    ]);
    return {
      goals: [
        { name: "start of bare Express's", samples: ratios(ours, of('bare Express')), unit: 'x', atMost: 1.6 },
        { name: "start of Prism's", samples: ratios(ours, of('Prism')), unit: 'x', atMost: 0.5 },
        { name: 'start to first answer', samples: ours, unit: 'ms', atMost: 250 },
      ],
      text: [table([['', 'start ms', 'ours is'], ...rows])],
      figures: Object.fromEntries(samples),
    };
  },
};
