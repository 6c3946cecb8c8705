import { resolve } from 'node:path'
import type { RequestContext } from '../../platform/http'
import type { ModuleParts } from '../module'
import type { Voice } from './events'
import { DataEngine } from './facts/engine'
import { Knowledge, sourceOf, type Found } from './help/knowledge'

/** A question as it reaches an engine. */
export interface Question {
  context: RequestContext
  question: string
  chatUuid: string
  conversationUuid: string
  /** What was asked before in the conversation. */
  before?: string | undefined
  /** The page that is open. */
  about?: { path: string; title?: string } | undefined
}

/** Under this part of a question a passage does not answer it. */
const FITS = 0.42
const SOURCES = 3

const HAN = /\p{Script=Han}/u

/** Answers without a model and without the network. */
export class EmbeddedEngine {
  readonly knowledge: Knowledge
  readonly data: DataEngine

  constructor(parts: Pick<ModuleParts, 'schemas' | 'configuration' | 'engine' | 'database' | 'page'>) {
    this.data = new DataEngine(parts)
    this.knowledge = new Knowledge(parts.schemas, resolve(parts.configuration.schemasDir, '..', 'docs'))
  }

  async answer({ context, question, before }: Question, voice: Voice): Promise<void> {
    if (GREETING.test(question.trim())) return introduce(HAN.test(question) ? 'zh' : 'en', voice)
    const asked = this.data.continued(context, question, before) ?? question
    if (!(await this.data.answer(context, asked, voice))) this.help(context, question, voice)
    return undefined
  }

  /** Answers by what documents say, or says that it does not know. */
  private help(context: RequestContext, question: string, voice: Voice): void {
    const locale = HAN.test(question) ? 'zh' : 'en'
    const began = performance.now()
    const found = this.knowledge.search(context, question)
    const title = locale === 'zh' ? '查阅帮助' : 'Looked up the help'
    voice.called({ tool: 'help', title, rows: found.length, ms: Math.round(performance.now() - began), refused: false })
    const best = found[0]
    if (!best || best.share < FITS) return sayUnknown(found, locale, voice)
    const sources = severalSources(found)
    const { passage } = best
    voice.say(`${passage.text[locale]} [1]\n`)
    voice.show({
      kind: 'link',
      label: passage.kind === 'page' ? passage.name[locale] : passage.section[locale],
      path: passage.path,
    })
    voice.cite(sources.map(({ passage: one }) => sourceOf(one, locale)))
    voice.guess(
      found
        .filter((one) => one !== best)
        .slice(0, 3)
        .map(({ passage: one }) => questionOf(one, locale)),
    )
    return undefined
  }
}

const GREETING =
  /^(?:你好|您好|嗨|谢谢|多谢|你是谁|你会什么|你能做什么|你能帮我做什么|hi|hello|hey|thanks|thank you|who are you|what can you do)[\s,.!?，。！？]*$/i

/** Says what may be asked. */
function introduce(locale: 'zh' | 'en', voice: Voice): void {
  voice.say(
    locale === 'zh'
      ? '您好，我是门户助手：可以查询您有权看到的业务数据，并说明门户怎么使用。我不知道门户以外的事。'
      : 'I am the portal’s assistant: I look up the data that you may see, and explain how the portal is used. I know nothing beyond it.',
  )
  voice.guess(
    locale === 'zh'
      ? ['我有几个审批', '我有多少个客户', '怎么导入数据']
      : ['How many approvals are waiting for me', 'How many customers do I have', 'How do I import from Excel'],
  )
}

/** The best passages, each section once. */
function severalSources(found: readonly Found[]): Found[] {
  const seen = new Set<string>()
  return found
    .filter(({ passage }) => {
      const key = `${passage.name.en}|${passage.section.zh}`
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
    .slice(0, SOURCES)
}

/** A question that a passage answers. */
function questionOf({ kind, name, section }: Found['passage'], locale: 'zh' | 'en'): string {
  const asked = {
    zh: {
      document: `${section.zh}怎么用？`,
      page: `${name.zh}在哪里？`,
      field: `${name.zh}的${section.zh}是什么？`,
      state: `${name.zh}有哪些状态？`,
    },
    en: {
      document: `How does “${section.en}” work?`,
      page: `Where is “${name.en}”?`,
      field: `What is ${section.en} of ${name.en}?`,
      state: `Which states has ${name.en}?`,
    },
  }
  return asked[locale][kind].slice(0, 100)
}

/** Says that nothing fits well enough, and what is nearest. */
function sayUnknown(found: readonly Found[], locale: 'zh' | 'en', voice: Voice): void {
  voice.say(
    locale === 'zh'
      ? '这个问题我不知道。我只了解门户里的数据和帮助；可以换一种说法，或试试下面的问题。'
      : 'I do not know. I know this portal’s data and help only. Put it another way, or try one of these.',
  )
  voice.guess(found.slice(0, 3).map(({ passage }) => questionOf(passage, locale)))
}
