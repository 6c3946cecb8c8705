// @vitest-environment jsdom
import { act } from 'react'
import { describe, expect, it } from 'vitest'
import { FormView } from '../../../../src/runtime/form/FormView'
import { HostProvider } from '../../../../src/runtime/hostContext'
import type { Locale } from '../../../../src/schema/problem'
import { fakeHost } from '../../../support/fakeHost'
import { rootOfEachTest } from '../../../support/reactRoot'
import { formModel } from './support'

const root = rootOfEachTest()

/** The words on the buttons of a form whose submission is called so. */
async function buttonsOf(label: string, locale: Locale, readPretty = false): Promise<string[]> {
  const model = formModel({ locale, readPretty, submit: { ...formModel().submit, label } })
  const form = <FormView model={model} scope={{}} onDone={() => undefined} onCancel={() => undefined} />
  await act(async () => {
    root.current.render(<HostProvider value={fakeHost({ locale })}>{form}</HostProvider>)
    await new Promise((done) => setTimeout(done))
  })
  return [...document.querySelectorAll('.sb-form-buttons button')].map(({ textContent }) =>
    (textContent ?? '').replace(/\s/g, ''),
  )
}

describe('the buttons of a form', () => {
  it('are what it does, and to cancel', async () => {
    expect(await buttonsOf('Save', 'en')).toEqual(['Save', 'Cancel'])
    expect(await buttonsOf('提交', 'zh')).toEqual(['提交', '取消'])
  })

  it('lead back where what it does is itself to cancel something, so that two buttons never read the same', async () => {
    expect(await buttonsOf('Cancel the visit', 'en')).toEqual(['Cancelthevisit', 'Back'])
    expect(await buttonsOf('取消拜访', 'zh')).toEqual(['取消拜访', '返回'])
  })

  it('only lead back where there is nothing to save', async () => {
    expect(await buttonsOf('Save', 'en', true)).toEqual(['Back'])
  })
})
