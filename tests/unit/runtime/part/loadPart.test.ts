import { describe, expect, it, vi } from 'vitest'
import { PartError, loadPart } from '../../../../src/runtime/part/loadPart'

describe('loading a part of the program', () => {
  it('asks once more after a failure and then answers the part', async () => {
    const load = vi.fn().mockRejectedValueOnce(new Error('net')).mockResolvedValue({ default: 1 })
    expect(await loadPart(load)).toEqual({ default: 1 })
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('gives up after the second failure with a message for people, and begins anew when it is asked again', async () => {
    const load = vi.fn().mockRejectedValue(new Error('net'))
    const error = await loadPart(load).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PartError)
    expect((error as PartError).message).toMatch(/没有加载成功|could not be loaded/)
    expect((error as PartError).cause).toEqual(new Error('net'))
    expect(load).toHaveBeenCalledTimes(2)
    load.mockResolvedValue('there')
    expect(await loadPart(load)).toBe('there')
  })

  it('takes a module that resolves to nothing for one that failed', async () => {
    await expect(loadPart(() => Promise.resolve(undefined))).rejects.toBeInstanceOf(PartError)
  })
})
