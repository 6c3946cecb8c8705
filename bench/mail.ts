/**
 * Mail at volume: `npm run bench -- mail [data folder]` after `npm run build`; `ONLY=lists,browser,sync,arrivals,sending` picks parts. What is measured stands in
 * bench/README.md.
 */
import { resolve } from 'node:path'
import { arrivals } from './mail/arrivals'
import { browser } from './mail/browser'
import { isMet, told, type Figure } from './mail/figures'
import { lists } from './mail/search'
import { sending } from './mail/sending'
import { sync } from './mail/sync'
import { openWorld, type MailWorld } from './mail/world'

const [folder = 'data/bench-mail'] = process.argv.slice(2)
const ONLY = process.env.ONLY?.split(',')
const PARTS: Readonly<Record<string, (world: MailWorld) => Promise<Figure[]>>> = { lists, browser, sync, arrivals, sending }

const world = await openWorld(resolve(folder))
const figures: Figure[] = []
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (ONLY && !ONLY.includes(name)) continue
    const measured = await measure(world)
    console.log(name)
    told(measured)
    figures.push(...measured)
  }
} finally {
  await world.stop()
}
process.exit(figures.every(isMet) ? 0 : 1)
