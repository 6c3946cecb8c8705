/**
 * `npm run evaluate:assistant`: asks the embedded engine the questions of cases.ts about the demo company, in the name of its people, and compares the answers with
 * figures by SQL. Prints the score, what failed, and how long an answer takes. DATA_DIR names the data of a demo company; without it one is made.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, type Gateway } from '../../gateway/gateway'
import { EmbeddedEngine } from '../../gateway/modules/ai/embedded'
import type { Block, KbDocument, ToolCall, Voice } from '../../gateway/modules/ai/events'
import { figure } from '../../gateway/modules/ai/facts/words'
import { readConfiguration } from '../../gateway/platform/configuration'
import { createLogger, type RequestContext } from '../../gateway/platform/http'
import { CASES, type Case } from './cases'

interface Heard {
  text: string
  blocks: Block[]
  calls: ToolCall[]
  sources: KbDocument[]
}

/** Keeps what an engine says. */
function listening(): { voice: Voice; heard: Heard } {
  const heard: Heard = { text: '', blocks: [], calls: [], sources: [] }
  const voice: Voice = {
    say: (text) => void (heard.text += text),
    think: () => undefined,
    show: (block) => void heard.blocks.push(block),
    called: (call) => void heard.calls.push(call),
    cite: (documents) => void heard.sources.push(...documents),
    guess: () => undefined,
    by: () => undefined,
    signal: new AbortController().signal,
  }
  return { voice, heard }
}

async function contextOf(gateway: Gateway, jobNumber: string): Promise<RequestContext> {
  const now = gateway.clock.now()
  const staffId = `st-${jobNumber.toLowerCase()}`
  const rights = await gateway.directory.rightsOf(staffId, now)
  if (!rights) throw new Error(`The demo company has nobody with the number ${jobNumber}.`)
  return { kind: 'staff', ...rights, locale: 'zh', traceId: '', ip: '', now, sessionId: '' }
}

/** Why an answer is not the one that is expected; undefined when it is. */
async function wrongWith(gateway: Gateway, test: Case, context: RequestContext, heard: Heard): Promise<string | undefined> {
  const tables = heard.blocks.flatMap((block) => (block.kind === 'table' ? block.rows.flat() : []))
  const all = `${heard.text}\n${tables.join('\n')}`
  const refused = heard.calls.some((call) => call.refused)
  if (test.unknown) return /不知道|do not know/.test(heard.text) ? undefined : 'answers what it cannot know'
  if (test.refused === true && !refused) return 'is not refused'
  if (test.refused !== true && refused) return 'is refused'
  if (test.says && !test.says.test(heard.text)) return `does not say ${String(test.says)}`
  if (test.tool && !heard.calls.some(({ tool }) => tool === test.tool))
    return `uses ${heard.calls.map(({ tool }) => tool).join() || 'no tool'} and not ${test.tool}`
  if (test.source && !heard.sources.slice(0, 3).some((one) => one.reference_url === test.source))
    return `does not name ${test.source}: ${heard.sources.map((one) => one.reference_url).join(' ')}`
  if (test.sql === undefined) return undefined
  const { rows } = await gateway.database.query<{ v: string | number | null }>(
    test.sql.replaceAll('$me', `'${context.user.staffId}'`),
  )
  const missing = rows.flatMap(({ v }) => {
    if (v === null) return []
    const text = /^-?[\d.]+$/.test(String(v)) ? figure(v, test.tool === 'query' ? 6 : 2) : String(v)
    return all.includes(text) || all.includes(figure(String(v))) ? [] : [text]
  })
  return missing.length === 0 ? undefined : `lacks ${missing.join(', ')}`
}

async function evaluate(): Promise<void> {
  const given = process.env.DATA_DIR
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'assistant-')))
  const environment = { JOBS: 'false', MAIL_SMTP_LISTEN: 'off', PORT: '0', DEMO_SCALE: '0.3', ...process.env, DATA_DIR: folder }
  const gateway = await createGateway(readConfiguration(environment), {
    logger: createLogger({ level: 'fatal' }),
    portalRoot: join(folder, 'no-portal'),
  })
  try {
    const { registry, configuration, engine, database } = gateway
    const page = (name: string) => registry.page(name)?.document
    const embedded = new EmbeddedEngine({ schemas: registry, configuration, engine, database, page })
    const times: number[] = []
    const failed: string[] = []
    const show = process.argv.includes('--show')
    for (const test of CASES) {
      const context = await contextOf(gateway, test.who)
      const { voice, heard } = listening()
      const began = performance.now()
      let wrong: string | undefined
      try {
        await embedded.answer({ context, question: test.question, chatUuid: '', conversationUuid: '' }, voice)
        times.push(performance.now() - began)
        wrong = await wrongWith(gateway, test, context, heard)
      } catch (error) {
        wrong = `fails: ${error instanceof Error ? error.message : String(error)}`
      }
      if (wrong) failed.push(`${test.who} ${test.question}\n    ${wrong}\n    ${heard.text.replace(/\s+/g, ' ').slice(0, 200)}`)
      else if (show) console.log(`ok ${test.who} ${test.question} → ${heard.text.replace(/\s+/g, ' ').slice(0, 140)}`)
    }
    const kinds: Readonly<Record<string, (test: Case) => boolean>> = {
      'tool and figure': (test) => test.tool !== undefined && test.tool !== 'help',
      documents: (test) => test.tool === 'help',
      refusals: (test) => test.refused === true,
      'not known': (test) => test.unknown === true,
    }
    for (const line of failed) console.log(`✗ ${line}`)
    for (const [name, fits] of Object.entries(kinds)) {
      const those = CASES.filter(fits)
      const good = those.filter(({ who, question }) => !failed.some((line) => line.startsWith(`${who} ${question}\n`))).length
      console.log(`${name}: ${good} of ${those.length} (${((100 * good) / those.length).toFixed(1)} %)`)
    }
    times.sort((a, b) => a - b)
    console.log(
      `${CASES.length - failed.length} of ${CASES.length} cases, median ${Math.round(times[Math.floor(times.length / 2)] ?? 0)} ms`,
    )
    if (failed.length > CASES.length * 0.05) process.exitCode = 1
  } finally {
    await gateway.close()
    if (given === undefined) await rm(folder, { recursive: true, force: true })
  }
}

await evaluate()
