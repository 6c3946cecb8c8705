import { describe, expect, it } from 'vitest'
import { createValidatorCompiler } from '../../../../../gateway/platform/http/validation'

const compile = createValidatorCompiler()
const page = () => ({ type: 'object', properties: { pageNo: { type: 'integer', minimum: 1 } } })
const of = (httpPart: string, schema: object = page()) => compile({ schema, httpPart, method: 'POST', url: '/v2/test' })

describe('Schemas of calls', () => {
  it('are compiled once where they read the same', () => {
    expect(of('body')).toBe(of('body'))
    expect(of('body')).not.toBe(of('body', { type: 'object', properties: { pageNo: { type: 'integer', minimum: 2 } } }))
  })

  it('take a body as it is and convert what stands in the address', () => {
    expect(of('body')({ pageNo: '2' })).toBe(false)
    expect(of('querystring')({ pageNo: '2' })).toBe(true)
    expect(of('body')({ pageNo: 3_000_000_000 })).toBe(false)
  })
})
