// @vitest-environment jsdom
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, expect, it } from 'vitest'
import { isEnter, isSend, onEnter } from '../../../src/runtime/typing'

beforeAll(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }))

it.each([
  ['pressed by a person', { keyCode: 13 }, true],
  ['while an input method composes', { keyCode: 229, isComposing: true }, false],
  ['that ends a composition, as Safari tells it', { keyCode: 229, isComposing: false }, false],
])('Enter %s (the case ime-steps)', async (_, init, means) => {
  const seen: boolean[] = []
  let entered = 0
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  await act(async () =>
    root.render(
      <div
        onKeyDown={(event) =>
          seen.push(
            isEnter(event),
            isSend({ ...event, key: event.key, nativeEvent: event.nativeEvent, ctrlKey: true, metaKey: false }),
          )
        }
      >
        <input onKeyDown={onEnter(() => (entered += 1))} />
      </div>,
    ),
  )
  container.querySelector('input')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...init }))
  expect([...seen, entered]).toEqual([means, means, Number(means)])
  await act(async () => root.unmount())
})
