import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readReleasedSchemas } from '../../../../gateway/pages'
import { baseOf, type Overlay } from '../../../../gateway/pages/changes/compose'
import { makeSnapshot, reportOf } from '../../../../gateway/pages/changes/live'
import { targetOf } from '../../../../gateway/pages/changes/target'
import { serviceNames } from '../../../../gateway/services'
import type { EntityDocument } from '../../../../src/schema/generated/entity'
import type { ModuleDocument } from '../../../../src/schema/generated/module'
import type { DetailPage, ListPage, PageDocument } from '../../../../src/schema/generated/page'
import { diffDocuments, type Outcome } from '../../../../src/schema/overlay'

type Files = Awaited<ReturnType<typeof readReleasedSchemas>>

const validation = { services: serviceNames() }
let release1: Files
let overlays: Overlay[]
beforeAll(async () => {
  release1 = await readReleasedSchemas(join(import.meta.dirname, '../../../../schemas'), { validation })
  overlays = everydayChanges(release1)
})

const pageOf = (file: Files[number]) => file.value as PageDocument
const entitiesOf = (files: Files) =>
  new Map(
    files.flatMap((file) =>
      file.type === 'entity' ? [[(file.value as EntityDocument).name, file.value as EntityDocument]] : [],
    ),
  )

/** One overlay for each of fifty pages, with changes as an admin makes them. */
function everydayChanges(files: Files): Overlay[] {
  const pages = files.filter((file) => file.type === 'page' && ['list', 'detail', 'form'].includes(pageOf(file).kind))
  // the tests look at pages of customer relations
  const first = pages.toSorted(
    (one, other) => Number(other.name?.startsWith('crm/') === true) - Number(one.name?.startsWith('crm/') === true),
  )
  return first.slice(0, 50).map((file) => {
    const base = baseOf(file, entitiesOf(files)) as PageDocument
    const wanted = structuredClone(base)
    wanted.title = { zh: `${base.title.zh}（改）`, en: `${base.title.en} (changed)` }
    if (wanted.kind === 'list') changeList(wanted)
    if (wanted.kind === 'detail') changeDetail(wanted)
    if (wanted.kind === 'form') wanted.layout = { ...wanted.layout, labels: wanted.layout?.labels === 'left' ? 'top' : 'left' }
    return { target: targetOf(file)!, role: '', changes: diffDocuments(base, wanted) }
  })
}

function changeList(page: ListPage): void {
  page.columns?.reverse()
  if (page.columns?.[0]) page.columns[0].width = 321
}

function changeDetail(page: DetailPage): void {
  const [first] = page.sections ?? []
  if (first) first.title = { zh: '要点', en: 'Main points' }
  page.timeline = page.timeline === false
}

const without = (list: readonly { field?: string; id?: string }[] | undefined, id: string) =>
  list?.filter((item) => (item.id ?? item.field) !== id)
/** A module that keeps the place of a page which is gone: its route and title stand in the module then. */
function keepsPlace(value: unknown, { path, title, kind }: PageDocument): unknown {
  const module = value as ModuleDocument
  return module.name === 'crm' ? { ...module, routes: [...(module.routes ?? []), { path, title, kind, menu: true }] } : module
}
const count = (outcomes: Iterable<readonly Outcome[]>, wanted: Outcome) =>
  [...outcomes].flat().filter((one) => one === wanted).length

describe('an upgrade of the release under fifty overlays', () => {
  it('has nothing to report when the files are the same', () => {
    const snapshot = makeSnapshot(release1, validation, overlays)
    expect(overlays).toHaveLength(50)
    expect(snapshot.refused).toEqual([])
    expect(reportOf(snapshot)).toEqual([])
  })

  it('keeps every change, and brings the fields and pages of the release along', () => {
    const release2 = release1.map((file) => {
      if (file.type !== 'entity') return file
      const entity = structuredClone(file.value as EntityDocument)
      entity.properties['newOfRelease'] = {
        type: 'string',
        maxLength: 20,
        'x-label': { zh: '新字段', en: 'New field' },
        'x-list': true,
      }
      return { ...file, value: entity }
    })
    const snapshot = makeSnapshot(release2, validation, overlays)
    expect(snapshot.refused).toEqual([])
    expect(reportOf(snapshot)).toEqual([])
    const myClient = snapshot.page('crm/my-client')?.document as ListPage
    expect(myClient.title.en).toBe('My customers (changed)')
    expect(myClient.columns?.[0]?.width).toBe(321)
    expect(myClient.columns?.some(({ field }) => field === 'newOfRelease')).toBe(true)
  })

  it('reports what has lost its place and what the release now has by itself, and uses all the rest', () => {
    const lists = overlays.filter(({ changes }) => changes.some(({ at }) => /^columns\/[^/]+\/width$/.test(at)))
    const [lost, lostToo, gone, given] = lists.map(({ target }) => target)
    const widthAt = (target: string | undefined) =>
      overlays
        .find((overlay) => overlay.target === target)!
        .changes.find(({ at }) => at.endsWith('/width'))!
        .at.split('/')[1]!
    const gonePage = pageOf(release1.find((file) => targetOf(file) === gone)!)
    const release2 = release1.flatMap((file) => {
      const target = targetOf(file)
      if (target === gone) return []
      if (file.type === 'module') return [{ ...file, value: keepsPlace(file.value, gonePage) }]
      if (target === given) {
        const page = pageOf(file)
        return [{ ...file, value: { ...page, title: { zh: `${page.title.zh}（改）`, en: `${page.title.en} (changed)` } } }]
      }
      if (target !== lost && target !== lostToo) return [file]
      const base = baseOf(file, entitiesOf(release1)) as ListPage
      return [{ ...file, value: { ...base, columns: without(base.columns, widthAt(target)) } }]
    })
    const snapshot = makeSnapshot(release2, {}, overlays)
    const { outcomes } = snapshot.composed
    expect(snapshot.refused.map(({ overlay }) => overlay.target)).toEqual([])
    const ofGone = overlays.find(({ target }) => target === gone)!.changes.length
    expect(count(outcomes.values(), 'orphaned')).toBe(2 + ofGone)
    expect(count(outcomes.values(), 'redundant')).toBe(2)
    expect(reportOf(snapshot).sort()).toEqual(
      [
        `changes of ${String(lost)}: 3 kept, 1 without a place in this release, 0 that it has by itself`,
        `changes of ${String(lostToo)}: 3 kept, 1 without a place in this release, 0 that it has by itself`,
        `changes of ${String(gone)}: 0 kept, ${ofGone} without a place in this release, 0 that it has by itself`,
        `changes of ${String(given)}: 2 kept, 0 without a place in this release, 2 that it has by itself`,
      ].sort(),
    )
    expect(snapshot.page(lost!.slice('page:'.length))?.document.title.en).toContain('(changed)')
  })

  it('leaves out the overlay that would make a document invalid, says why, and uses the others', () => {
    const broken: Overlay = { target: 'page:crm/open-sea', role: '', changes: [{ at: 'columns', add: { field: 'noSuchField' } }] }
    const others = overlays.filter(({ target }) => target !== broken.target)
    const snapshot = makeSnapshot(release1, validation, [...others, broken])
    expect(snapshot.refused).toMatchObject([{ overlay: broken, problem: { code: 'unknown-field', value: 'noSuchField' } }])
    expect(snapshot.page('crm/my-client')?.document.title.en).toBe('My customers (changed)')
    expect(snapshot.page('crm/open-sea')).toBeDefined()
  })
})
