import { Suspense, use, useEffect, useState, useSyncExternalStore } from 'react'
import { ExpressionError } from '../../../schema/expression'
import { RemoteSelect } from '../../choice/SearchSelect'
import { TAGS_ON_PHONE, usePhone } from '../../media'
import type { Evaluate, QueryWhere } from '../../../schema/model'
import { Creation, recordScope, useSession, useText, type FormSession } from '../view/session'
import type { ControlProps } from './control'
import { CreateBelow } from './CreateBelow'

/** Where the records come from. */
export interface Reference {
  entity: string
  /** Base path of the entity's calls. */
  path: string
  label: string
  where: Evaluate<readonly QueryWhere[]>
}

const everything = (): readonly QueryWhere[] => []

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((id) => (id === null || id === undefined || id === '' ? [] : [String(id)]))

/** The reference of a control: that of its entity field, unless `x-component-props` say otherwise. */
export const referenceOf = (
  { field, props }: Pick<ControlProps, 'field' | 'props'>,
  fallback?: Reference,
): Reference | undefined => {
  const { entity, path, label, where } = props
  const given =
    typeof entity === 'string' && typeof path === 'string'
      ? { entity, path, label: typeof label === 'string' ? label : entity, where: everything }
      : undefined
  const found = given ?? field?.ref ?? fallback
  if (!found || !Array.isArray(where)) return found
  return { ...found, where: (scope) => [...found.where(scope), ...(where as QueryWhere[])] }
}

/** The conditions for the record as it stands in the form, or why they cannot be known. */
const narrow = (reference: Reference, session: FormSession, path: string): readonly QueryWhere[] | string => {
  try {
    return reference.where(recordScope(session, path))
  } catch (error) {
    return error instanceof ExpressionError ? error.problem.message[session.locale] : String(error)
  }
}

interface EntitySelectProps extends ControlProps {
  reference: Reference | undefined
  multiple: boolean
}

/**
 * Chooses records of another entity: searches on the server while one types, shows the titles of those that are chosen. A missing record can
 * be made in place, in the form that `create` in `x-component-props` names, else in that of its list; `false`: it cannot.
 */
export const EntitySelect = ({
  id,
  value,
  onChange,
  disabled,
  readOnly,
  placeholder,
  props,
  describedBy,
  opened,
  cell,
  path: controlPath,
  reference,
  multiple,
}: EntitySelectProps) => {
  const session = useSession()
  const { host, titles } = session
  const t = useText()
  const phone = usePhone()
  const CreateInPlace = use(Creation)
  /** The form, and what was typed when somebody went to make a record of it. */
  const [creating, setCreating] = useState<{ page: string; name: string } | null>(null)
  const [version, setVersion] = useState(0)
  useSyncExternalStore(titles.subscribe, titles.version)
  const chosen = idsOf(value)
  const { entity, path } = reference ?? { entity: '', path: '' }

  useEffect(() => {
    titles.ask(entity, path, idsOf(value))
  }, [titles, entity, path, value])

  const { create } = props

  return (
    <>
      <RemoteSelect
        // a record that was just made is found as well
        key={version}
        host={host}
        path={path}
        // Which records may be chosen depends on what the form holds, which cannot change while the list is open.
        {...(reference ? { where: () => narrow(reference, session, controlPath) } : {})}
        id={id}
        className="sb-control-wide"
        multiple={multiple}
        value={chosen}
        titleOf={(one) => titles.get(entity, one)}
        onChange={(ids, found) => {
          for (const one of ids) if (found.has(one)) titles.put(entity, one, found.get(one)!)
          onChange(multiple ? ids : (ids[0] ?? null))
        }}
        opened={opened === true}
        allowClear
        maxTagCount={!multiple ? undefined : phone && !cell ? TAGS_ON_PHONE : 'responsive'}
        disabled={disabled || readOnly}
        placeholder={placeholder}
        aria-describedby={describedBy}
        variant={cell ? 'borderless' : undefined}
        {...(create !== false && reference && CreateInPlace
          ? {
              below: (keyword: string, close: () => void) => (
                <CreateBelow
                  entity={entity}
                  label={reference.label}
                  page={typeof create === 'string' ? create : undefined}
                  keyword={keyword}
                  onCreate={(page) => {
                    setCreating({ page, name: keyword })
                    close()
                  }}
                />
              ),
            }
          : {})}
      />
      {creating !== null && CreateInPlace && reference ? (
        <Suspense fallback={null}>
          <CreateInPlace
            page={creating.page}
            title={t('createNew', { label: reference.label })}
            name={creating.name}
            onClose={() => setCreating(null)}
            onCreated={(made) => {
              setCreating(null)
              setVersion((count) => count + 1)
              onChange(multiple ? [...chosen, made] : made)
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}
