import { defineVerb, type VerbDefinition } from './verb'

/** Fields of the record, or of the records of `on`. */
export const setVerb = defineVerb({
  name: 'set',
  label: { zh: '设置字段', en: 'Set fields' },
  description: {
    zh: '给记录（或 on 所指记录）的字段赋值；状态只能由流转改变。',
    en: 'Gives fields of the record, or of the records of on, a value; states change by transitions only.',
  },
  with: { type: 'object', description: 'Field -> value or expression.' },
  on: 'possible',
  example: { acceptedAt: '{{ now }}', expiresAt: null },
})

export const createVerb = defineVerb({
  name: 'create',
  label: { zh: '新建记录', en: 'Create a record' },
  description: {
    zh: '新建一条记录；有 each 时每一项一条。',
    en: 'Makes a record; with each, one for every item.',
  },
  with: {
    type: 'object',
    properties: {
      entity: { type: 'string', description: 'Name of the entity.' },
      values: { type: 'object', description: 'Field -> value or expression.' },
    },
    required: ['entity', 'values'],
    additionalProperties: false,
  },
  on: 'never',
  example: { entity: 'crm.ownerLog', values: { customerId: '{{ customerId }}', action: 'share' } },
})

export const transitionVerb = defineVerb({
  name: 'transition',
  label: { zh: '流转其他记录', en: 'Take other records through a transition' },
  description: {
    zh: '让 on 所指的记录执行一个流转；其拒绝原因同样有效。',
    en: 'Takes the records of on through one of their transitions; their refusals hold.',
  },
  with: {
    type: 'object',
    properties: {
      transition: { type: 'string', description: 'Id of the transition.' },
      field: { type: 'string', description: 'State field, where two machines have the same id.' },
      values: { type: 'object', description: 'Its fields and inputs: name -> value or expression.' },
    },
    required: ['transition'],
    additionalProperties: false,
  },
  on: 'needed',
  example: { transition: 'end', values: { endReason: 'ownerChanged' } },
})

export const notifyVerb = defineVerb({
  name: 'notify',
  label: { zh: '通知', en: 'Notify' },
  description: {
    zh: '告知人员：各一条消息，有事要做时另有一条待办，针对本记录或 on 指明的记录；待办可随该记录离开当前状态自动关闭。',
    en: 'Tells people: a message to each, and a to-do where something is to be done, about the record or the records of on; a to-do can close by itself when that record leaves its state.',
  },
  with: {
    type: 'object',
    properties: {
      to: { type: 'array', description: 'People, as in by.', minItems: 1, maxItems: 10 },
      template: {
        type: 'string',
        description: 'Name of a template that says the rest (schemas/<module>/templates); what stands beside it wins.',
      },
      type: {
        type: 'string',
        description: 'Code of the dictionary msgType; default 7 (system).',
      },
      todo: {
        type: 'boolean',
        description: 'False: nothing is to be done, so that there is a message and no to-do. Default true.',
      },
      title: {
        type: 'object',
        description: 'What it says, with expressions.',
        properties: { zh: { type: 'string', maxLength: 500 }, en: { type: 'string', maxLength: 500 } },
        required: ['zh', 'en'],
        additionalProperties: false,
      },
      kind: { type: 'string', description: 'Code of the dictionary todoKind; default notice.' },
      text: {
        type: 'object',
        description: 'More of it, with expressions.',
        properties: { zh: { type: 'string', maxLength: 1000 }, en: { type: 'string', maxLength: 1000 } },
        required: ['zh', 'en'],
        additionalProperties: false,
      },
      link: { type: 'string', description: 'Address of the page of the record.' },
      list: {
        type: 'string',
        description:
          'Address of the list where many of them stand: of more than twenty at once there is one message, which leads there.',
      },
      dueAt: { type: 'string', description: 'Expression: when it should be done; default now.' },
      closes: {
        type: 'string',
        enum: ['withState', 'byPerson'],
        description: 'withState: it is over when the record leaves its state; default byPerson.',
      },
      separately: {
        type: 'boolean',
        description: 'To-dos one by one, however many there are; otherwise more than twenty equal ones are one.',
      },
      instead: { type: 'boolean', description: 'An open one of the same kind about the record gives way to it.' },
      once: { type: 'string', description: 'What is said once only: the same text is not told again; default every time.' },
    },
    required: ['to'],
    additionalProperties: false,
  },
  on: 'possible',
  example: { to: ['creator'], title: { zh: '共享已接收', en: 'The share was accepted' } },
})

export const closeVerb = defineVerb({
  name: 'close',
  label: { zh: '办结待办', en: 'Close to-dos' },
  description: {
    zh: '办结或取消关于记录（或 on 所指记录）的未完成待办。',
    en: 'The open to-dos about the record, or about the records of on, are done or gone.',
  },
  with: {
    type: 'object',
    properties: {
      of: { type: 'array', description: 'People whose to-dos these are; everybody without it.', minItems: 1, maxItems: 10 },
      kinds: {
        type: 'array',
        items: { type: 'string' },
        description: 'Kinds of the to-dos that are over; all without it.',
        minItems: 1,
      },
      as: {
        type: 'string',
        enum: ['done', 'dropped'],
        description: 'done: somebody did it; dropped: the matter is gone. Without it done.',
      },
    },
    additionalProperties: false,
  },
  on: 'possible',
  example: { of: ['owner'], as: 'dropped' },
})

export const logVerb = defineVerb({
  name: 'log',
  label: { zh: '写日志', en: 'Write to the log' },
  description: { zh: '在记录的日志里写一句话。', en: 'Writes a sentence into the log of the record.' },
  with: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 500, description: 'What it says, with expressions.' } },
    required: ['text'],
    additionalProperties: false,
  },
  on: 'possible',
  example: { text: 'Released by {{ user.name }}' },
})

/** Verbs that every entity has. */
export const ENGINE_VERBS: readonly VerbDefinition[] = [setVerb, createVerb, transitionVerb, notifyVerb, closeVerb, logVerb]

/** A verb that every entity has; those of modules are known to the gateway alone. */
export const verbOf = (name: string): VerbDefinition | undefined => ENGINE_VERBS.find((verb) => verb.name === name)
