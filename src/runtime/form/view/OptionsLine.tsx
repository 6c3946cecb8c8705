import type { GeneralField } from '@formily/core'
import { Suspense } from 'react'
import type { FormNodeModel } from '../../../schema/model'
import { lazyPart } from '../../part/lazyPart'

const OptionsNote = lazyPart(() => import('../options/OptionsNote'))

/** How it stands with the options of a field that asks for them: being loaded, failed, or waiting for another field. */
export const OptionsLine = ({ field, node }: { field: GeneralField; node: FormNodeModel }) =>
  node['x-options'] ? (
    <Suspense fallback={null}>
      <OptionsNote field={field} node={node} />
    </Suspense>
  ) : null
