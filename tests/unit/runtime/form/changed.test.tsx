// @vitest-environment jsdom
import { act } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { PageBundle } from '../../../../src/headless/host'
import Changed from '../../../../src/runtime/form/view/Changed'
import { SessionProvider, type FormSession } from '../../../../src/runtime/form/view/session'
import type { OpenForm } from '../../../../src/runtime/form/view/open'
import type { FormModel } from '../../../../src/schema/model'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'
import { formModel } from './support'

/** A form, or a page of that name whose entity is in no bundle: nothing of it can be shown. */
const form = (revision: string, gone = false): PageBundle => ({
  page: {
    formatVersion: 3,
    kind: gone ? 'list' : 'form',
    path: '/test/form',
    name: 'test/form',
    title: { zh: '表单', en: 'Form' },
    ...(gone ? { entity: 'test.gone' } : {}),
    schema: { type: 'object', properties: { name: { type: 'string', title: { zh: '名称', en: 'Name' } } } },
    submit: { call: 'POST /v2/test/thing/save' },
  } as unknown as PageBundle['page'],
  where: 'page:test/form',
  revision,
  entities: {},
  dictionaries: {},
})

const root = rootOfEachTest()

/** Opens the question over a form of revision r1 and asks for the new form; what is released then, and what else the browser has. */
const ask = async (released: PageBundle, kept?: PageBundle) => {
  const renewed: FormModel[] = []
  const closed = vi.fn()
  const host = fakeHost({
    overrides: {
      loadPage: () => Promise.resolve({ bundle: released, from: 'gateway' }),
      pageCopies: { keep: () => undefined, find: (copy) => Promise.resolve(copy === 'kept' ? (kept ?? null) : null) },
      report: () => undefined,
    },
  })
  const open = { host, model: formModel({ id: '/test/form', revision: 'r1' }) } as unknown as OpenForm
  act(() =>
    root.current.render(
      <SessionProvider value={{ host, locale: 'en' } as unknown as FormSession}>
        <Changed
          form={open}
          changes={['"City" is required now']}
          message="This form has changed."
          onClose={closed}
          onRenew={(model) => void renewed.push(model)}
        />
      </SessionProvider>,
    ),
  )
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith('Show the new form'))
  await act(async () => {
    button?.click()
    await new Promise((done) => setTimeout(done))
  })
  return { renewed, closed, text: document.body.textContent ?? '' }
}

describe('a form that was released anew while it was filled in', () => {
  it('is shown in its new revision', async () => {
    const { renewed, closed } = await ask(form('r2'))
    expect(renewed.map(({ revision }) => revision)).toEqual(['r2'])
    expect(closed).not.toHaveBeenCalled()
  })

  it('stays, with what is the matter and what can be done, when the new revision has a fault and only an earlier one could be shown', async () => {
    for (const kept of [form('r1'), form('r0'), undefined]) {
      const { renewed, closed, text } = await ask(form('r3', true), kept)
      expect(renewed).toEqual([])
      expect(closed).not.toHaveBeenCalled()
      expect(text).toContain('The new form has a fault and cannot be shown yet')
      expect(text).toContain('What you typed is kept')
      expect(text).toContain('"City" is required now')
      expect(text).toContain('Try again')
      act(() => root.current.render(null))
    }
  })

  it('is as it stands once the release was rolled back: the question goes', async () => {
    const { renewed, closed } = await ask(form('r1'))
    expect(renewed).toEqual([])
    expect(closed).toHaveBeenCalledOnce()
  })
})
