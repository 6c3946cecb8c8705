import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CheckNote } from '../../../../gateway/pages/checkNote'
import { readDocuments } from '../../../../src/schema/validate'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-note-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('speaks of the documents that this program found right, and of no other ones', async () => {
  const note = new CheckNote(join(folder, 'made'), 'program')
  expect(await note.read('documents')).toBeUndefined()
  await note.write('documents', [])
  expect(await note.read('documents')).toEqual([])
  expect(await note.read('changed documents')).toBeUndefined()
  expect(await new CheckNote(join(folder, 'made'), 'next program').read('documents')).toBeUndefined()
  await writeFile(join(folder, 'made/checked-schemas.json'), '{"program":"prog')
  expect(await note.read('documents')).toBeUndefined()
})

it('documents that were checked are read as they were, and only what concerns others is not looked at again', () => {
  const list = {
    $schema: '../../meta/page.json',
    formatVersion: 3,
    kind: 'list',
    path: '/test/list',
    title: { zh: '列表', en: 'List' },
    entity: 'test.nowhere',
    columns: [{ field: 'name' }],
  }
  const source = { where: 'schemas/test/pages/list.json', type: 'page' as const, name: 'test/list', text: JSON.stringify(list) }
  const [fresh, checked] = [readDocuments([source]), readDocuments([source], { checked: true })]
  expect(fresh.problems.map(({ code }) => code)).toContain('unknown-entity')
  expect(checked.problems).toEqual([])
  expect(checked.accepted).toEqual(fresh.accepted)
})
