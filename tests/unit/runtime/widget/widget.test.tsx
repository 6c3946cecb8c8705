import { renderToString } from 'react-dom/server'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { HostProvider } from '../../../../src/runtime/hostContext'
import {
  checkProps,
  defineWidget,
  findWidget,
  registerWidgets,
  WidgetOutlet,
  type PropsOf,
  type WidgetProps,
} from '../../../../src/runtime/widget'
import { fakeHost } from '../../../support/fakeHost'

const schema = {
  type: 'object',
  properties: {
    folder: { type: 'string', minLength: 1 },
    size: { enum: ['small', 'large'] },
    limits: { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 2 },
  },
  required: ['folder'],
} as const
const Mail = ({ props }: WidgetProps<PropsOf<typeof schema>>) => <b>{props.folder}</b>
const source = { where: 'schemas/test/pages/a.json', at: '/header' }
const draw = (name: string, props: unknown): string =>
  renderToString(
    <HostProvider value={fakeHost()}>
      <WidgetOutlet name={name} props={props} values={{}} source={source} />
    </HostProvider>,
  )

describe('widgets', () => {
  it('get their types from their schema', () => {
    expectTypeOf<PropsOf<typeof schema>>().toEqualTypeOf<
      { readonly folder: string } & { readonly size?: 'small' | 'large'; readonly limits?: readonly number[] }
    >()
    const widget = defineWidget({
      name: 'test.mail',
      description: { zh: '邮件', en: 'Mail' },
      props: schema,
      load: () => Promise.resolve({ default: Mail }),
      example: { props: { folder: 'inbox' } },
    })
    registerWidgets(widget)
    expect(findWidget('test.mail')?.props).toBe(schema)
    expect(() => registerWidgets(widget)).toThrow('registered already')
  })

  it('check properties and say where each is wrong', () => {
    const at = (value: unknown): string[] => checkProps(schema, value).map((problem) => `${problem.at} ${problem.message.en}`)
    expect(at({ folder: 'inbox', size: 'large', limits: [1, 2] })).toEqual([])
    expect(at({})).toEqual(['/folder is missing'])
    expect(at({ folder: '', size: 'huge', limits: [1, -2], colour: 'red' })).toEqual([
      '/folder needs at least 1 characters',
      '/size has to be one of "small", "large"',
      '/limits/1 has to be at least 0',
      '/colour is not a property of this widget',
    ])
    expect(at('x')).toEqual(['/ has to be object, not string'])
    expect(at(JSON.parse('{"folder":"a","__proto__":{"x":1}}'))).toEqual(['/__proto__ is not a property of this widget'])
  })

  it('that are unknown or wrongly set up are an error of their block, naming page and place', () => {
    for (const shown of [draw('test.nothing', {}), draw('test.mail', { folder: 1 })]) {
      expect(shown).toContain('This part could not be shown')
      expect(shown).toContain('schemas/test/pages/a.json')
      expect(shown).toContain('/header')
    }
    expect(draw('test.nothing', {})).toContain('There is no widget named &quot;test.nothing&quot;')
  })
})
