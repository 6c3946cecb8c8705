import fc from 'fast-check'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentDisposition, createFileStore, newKey } from '../../../../../gateway/platform/files'
import { inspectFile, safeName } from '../../../../../gateway/platform/files/inspect'

describe('names of files', () => {
  it('keep their last part, without paths, control and direction characters', () => {
    const names: [string, string][] = [
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\x\\合同.pdf', '合同.pdf'],
      ['..', 'file'],
      ['.env', 'env'],
      ['a\u0000b\r\n.txt', 'ab.txt'],
      ['invoice\u202efdp.exe', 'invoicefdp.exe'],
      ['', 'file'],
    ]
    for (const [given, kept] of names) expect([given, safeName(given)]).toEqual([given, kept])
    expect(safeName(`${'长'.repeat(300)}.docx`)).toMatch(/^长{195}\.docx$/)
  })

  it('are never a path, whatever people send', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const kept = safeName(name)
        expect(kept.length).toBeGreaterThan(0)
        expect(kept).not.toMatch(/[/\\\0]|^\./)
      }),
    )
  })

  it('make one header line for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) =>
        /^[\x20-\x7e]*$/.test(contentDisposition('attachment', safeName(name))),
      ),
    )
    expect(contentDisposition('inline', '合同 "1".pdf')).toBe(
      `inline; filename="__ _1_.pdf"; filename*=UTF-8''%E5%90%88%E5%90%8C%20%221%22.pdf`,
    )
  })
})

describe('the content of files', () => {
  const check = async (name: string, content: Buffer | string) => {
    const folder = await mkdtemp(join(tmpdir(), 'gw-inspect-'))
    const path = join(folder, 'x')
    try {
      await writeFile(path, content)
      return await inspectFile(path, name)
    } catch (error) {
      return (error as { reason?: string }).reason ?? 'fault'
    } finally {
      await rm(folder, { recursive: true })
    }
  }
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  it('has to be what the name says', async () => {
    expect(await check('a.png', png)).toBe('image/png')
    expect(await check('a.PNG', png)).toBe('image/png')
    expect(await check('a.txt', '你好')).toBe('text/plain')
    expect(await check('a.txt', Buffer.from('\ufeff你好', 'utf16le'))).toBe('text/plain')
    expect(await check('a.csv', Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x2c, 0x31]))).toBe('text/csv')
    expect(await check('a.csv', 'BM号,数量\n1,2')).toBe('text/csv')
    expect(await check('a.pdf', '%PDF-1.7\n%\u00e2\u00e3\n1 0 obj\n')).toBe('application/pdf')
  })

  it('is refused when it is something else, active, empty or unknown', async () => {
    const refused: [string, Buffer | string][] = [
      ['photo.jpg', png],
      ['photo.png', '<html><script>alert(1)</script></html>'],
      ['notes.txt', '<!DOCTYPE html><script>alert(1)</script>'],
      ['notes.txt', '\ufeff  <svg onload="alert(1)">'],
      ['notes.csv', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
      ['notes.txt', '#!/bin/sh\nrm -rf /'],
      ['notes.txt', Buffer.from('MZ\u0090\u0000\u0003', 'latin1')],
      ['notes.txt', png],
      ['program.exe', 'MZ'],
      ['page.html', 'hello'],
      ['picture.svg', '<svg/>'],
      ['script.js', 'alert(1)'],
      ['noextension', 'hello'],
      ['double.png.exe', png],
      ['empty.txt', ''],
      ['letter.docx', 'not a zip at all'],
    ]
    for (const [name, content] of refused) expect([name, await check(name, content)]).toEqual([name, 'fileRefused'])
  })
})

describe('the folder of files', () => {
  it('keeps, reads and removes files under its own keys, and takes no other key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gw-store-'))
    try {
      const store = createFileStore({ kind: 'folder', folder })
      const key = newKey('file')
      const path = join(folder, 'incoming')
      await writeFile(path, 'content')
      await store.put(key, path)
      expect(await store.size(key)).toBe(7)
      expect(await readFile(join(folder, key), 'utf8')).toBe('content')
      await store.remove(key)
      expect(await store.size(key)).toBeNull()
      for (const wrong of ['../x', 'file/../../x', '/etc/passwd', 'file/ab/short', ''])
        await expect(store.read(wrong)).rejects.toThrow('not a key')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
