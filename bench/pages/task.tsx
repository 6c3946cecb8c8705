import { createRoot } from 'react-dom/client'
import '../../src/runtime/form'
import { loadControls } from '../../src/runtime/form/controls/registry'
import Task from '../../src/widgets/process-work/task/Task'
import { fakeHost } from '../../tests/support/fakeHost'
import { Portal } from '../Portal'
import type { BenchPage } from '../hooks'
import { linkStyles } from '../styles'
import { taskDetail } from '../taskModel'

/** A task of an application with 200 fields, as the portal draws it from the gateway's answer. */
export const page: BenchPage = async (root) => {
  const detail = taskDetail()
  const host = fakeHost({ answer: ({ path }) => (path.endsWith('/instanceDetail') ? detail : {}) })
  await Promise.all([linkStyles(), loadControls(['text', 'number', 'select', 'date'])])
  return {
    mount: () =>
      createRoot(root).render(
        <Portal host={host}>
          <Task props={{ list: 'todo' }} values={{ query: { taskId: 't1' } }} />
        </Portal>,
      ),
    fields: () => root.querySelectorAll('.sb-form-item').length,
    rows: () => root.querySelectorAll('.sb-path-step, .sb-log > li').length,
  }
}
