// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EXPORT_TIMEOUT, fileNameOf, UPLOAD_TIMEOUT } from '../../../../src/shell/http/client'
import { previewKind } from '../../../../src/shell/http/filePart'
import { downloadInFrame, IFRAME_REMOVAL } from '../../../../src/shell/http/files'

afterEach(() => vi.useRealTimers())

describe('files', () => {
  it('pictures open in a preview (R267), documents in a new window (R268), the rest is not supported (R269)', () => {
    for (const name of ['a.jpeg', 'b.JPG', 'c.png', 'd.e.gif']) expect(previewKind(name)).toBe('image')
    for (const name of ['a.txt', 'a.pdf', 'a.doc', 'a.DOCX', 'a.xls', 'a.xlsx', 'a.ppt', 'a.pptx'])
      expect(previewKind(name)).toBe('window')
    for (const name of ['a.zip', 'a.svg', 'a.html', 'png', 'a.', '']) expect(previewKind(name)).toBe('unsupported')
  })

  it('time-outs: export 5 min (R337), upload 10 min (R336), download frame 5 min (R339)', () => {
    expect([EXPORT_TIMEOUT, UPLOAD_TIMEOUT, IFRAME_REMOVAL]).toEqual([300_000, 600_000, 300_000])
  })

  it('removes the download frame after 5 minutes (R339), or at once with a word when a page came instead (R380)', () => {
    vi.useFakeTimers()
    const failed = vi.fn()
    downloadInFrame('/file?ticket=1', failed)
    vi.advanceTimersByTime(IFRAME_REMOVAL - 1)
    expect(document.querySelectorAll('iframe')).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(document.querySelectorAll('iframe')).toHaveLength(0)
    expect(failed).not.toHaveBeenCalled()
    downloadInFrame('/file?ticket=2', failed)
    document.querySelector('iframe')?.dispatchEvent(new Event('load'))
    expect(document.querySelectorAll('iframe')).toHaveLength(0)
    expect(failed).toHaveBeenCalledOnce()
  })

  it('takes the name that the gateway gives', () => {
    expect(fileNameOf('attachment; filename="x.csv"; filename*=UTF-8\'\'%E5%AE%A2.csv')).toBe('客.csv')
    expect(fileNameOf('attachment; filename="a b.csv"')).toBe('a b.csv')
    expect(fileNameOf("attachment; filename*=UTF-8''%E5%")).toBeNull()
    expect(fileNameOf(null)).toBeNull()
  })
})
