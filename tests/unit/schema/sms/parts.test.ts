import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../../src/schema/sms/segments'
import { atLongest, variablesOf } from '../../../../src/widgets/toolbox/sms/variables'

describe('where a message parts', () => {
  it('splits no pair: the part is closed one short', () => {
    const gsm = partsOf(`${'a'.repeat(152)}€${'a'.repeat(152)}`)
    expect(gsm.parts.map(({ units }) => units)).toEqual([152, 153, 1])
    expect(gsm.parts.map(({ text }) => text).join('')).toHaveLength(305)
    const ucs2 = partsOf(`${'验'.repeat(66)}😀${'验'.repeat(66)}`)
    expect(ucs2.parts.map(({ units }) => units)).toEqual([66, 67, 1])
  })

  it('names each character that forces UCS-2 once', () => {
    expect(partsOf('It’s 5€ – it’s fine')).toMatchObject({ encoding: 'ucs2', wide: ['’', '–'], segments: 1 })
    expect(partsOf('5€ {a}').wide).toEqual([])
  })

  it('holds an empty text as one empty part', () => {
    expect(partsOf('')).toMatchObject({ encoding: 'gsm7', units: 0, segments: 1, parts: [{ text: '', units: 0 }] })
  })

  it('counts variables as long as they may become', () => {
    const text = 'Code {code} for {name}, {code}'
    expect(variablesOf(text)).toEqual(['code', 'name'])
    expect(atLongest(text, { code: 6, name: null })).toBe('Code xxxxxx for {name}, xxxxxx')
  })
})
