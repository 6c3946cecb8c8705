import type { EntityModel } from '../../../src/schema/entity'
import { ready } from '../../../src/schema/formats'
import { newId, type Transaction } from '../../platform/database'
import { ok, ServiceError, type RequestContext } from '../../platform/http'
import type { Core } from '../core'
import type { EntityRecord, ImportPreview, ImportProblem, ImportResult } from '../types'
import { nextNumbers } from '../write/numbers'
import { requireOperation, saveRecord } from '../write/save'
import { writeErrorFile } from './errorFile'
import { ImportCheck, type CheckedRow } from './importCheck'
import { importableFields, knownHeaders, readHeader, type ImportColumn } from './importColumns'
import { ImportStore, type StoredImport, type StoredRow } from './importStore'
import { readSheet } from './sheetReader'
import { FileRefusedError, type FileRow, type ReadLimits } from './sheetRows'
import { exampleRow, importTemplate } from './template'
import { columnLetter } from './xlsxWriter'

export interface ImportLimits extends ReadLimits {
  /** Milliseconds between preview and commit. */
  expiry: number
}

const DEFAULTS: ImportLimits = { rows: 100_000, unpacked: 300 * 1_048_576, ratio: 150, expiry: 3_600_000 }
/** Errors that a preview lists; the error file holds all. */
const MOST_LISTED = 1_000
const SAMPLE = 10
/** Rows that a preview also saves on trial, so that the limits and checks of services show before the commit. */
const MOST_TRIED = 500
const COMMIT_BATCH = 200

/** Imports in three steps: template, preview (nothing is written), commit. */
export class Importer {
  private readonly limits: ImportLimits
  private readonly store: ImportStore

  constructor(
    private readonly core: Core,
    limits: Partial<ImportLimits> = {},
  ) {
    this.limits = { ...DEFAULTS, ...limits }
    this.store = new ImportStore(core.database, this.limits.expiry)
  }

  async template(context: RequestContext, model: EntityModel): Promise<Buffer> {
    requireOperation(context, model, 'import')
    return importTemplate(this.core, context, model)
  }

  /** Reads and checks a file. Every problem is told with its row and column; what the file as a whole lacks refuses it (10010013). */
  async preview(context: RequestContext, model: EntityModel, file: { name: string; path: string }): Promise<ImportPreview> {
    requireOperation(context, model, 'import')
    const fields = importableFields(context, model)
    await ready(...fields.map((field) => field.kind))
    await this.store.sweep()
    const importId = newId()
    const example = exampleRow(this.core, context, model).filter((value) => value !== '')
    const state: Reading = { columns: [], total: 0, valid: 0, errors: [], sample: [], tried: [] }
    let check: ImportCheck | undefined
    const take = async (rows: FileRow[]): Promise<void> => {
      const body = check ? rows : rows.slice(1)
      if (!check) {
        const header = readHeader(context, model, rows[0]?.cells ?? [])
        if (header.problems.length > 0) throw fileRefused(context, header.problems)
        state.columns = header.columns
        check = new ImportCheck(this.core, context, model, header.columns)
        await this.store.begin(importId, model.name, context, file.name, header.columns)
      }
      const checked = (await check.batch(body)).filter((row) => !isExample(row, example))
      if (state.total + checked.length <= MOST_TRIED) state.tried.push(...checked)
      else await this.store.addRows(importId, checked)
      collect(state, checked)
    }
    try {
      await readSheet({ path: file.path, headers: knownHeaders(fields), limits: this.limits }, take)
      if (state.total === 0)
        throw fileRefused(context, [], { zh: '文件中没有数据行。', en: 'The file has no rows below its header.' })
      await this.settleTried(context, model, importId, state, file.name)
    } catch (error) {
      await this.store.drop(importId)
      if (error instanceof FileRefusedError) throw fileRefused(context, [], error.text)
      throw error
    }
    await this.store.finish(importId, state.total, state.errors)
    return {
      importId,
      total: state.total,
      valid: state.valid,
      columns: state.columns.map(({ field, title, index }) => ({ field: field.name, title, column: columnLetter(index) })),
      errors: state.errors,
      sample: state.sample,
    }
  }

  /** The faulty rows with their reasons, to be mended and imported again. */
  async errorFile(context: RequestContext, model: EntityModel, importId: string): Promise<Buffer> {
    requireOperation(context, model, 'import')
    const stored = await this.store.read(this.core.database, importId, model.name, context)
    return writeErrorFile(context, model, stored.columns, await this.store.faultyRows(importId))
  }

  /** Saves the rows with everything that a save by hand does. A second call with the same import answers the same. */
  async commit(
    context: RequestContext,
    model: EntityModel,
    request: { importId: string; skipFaulty: boolean },
  ): Promise<ImportResult> {
    requireOperation(context, model, 'import')
    const { importId } = request
    const result = await this.store.exclusively(importId, async () => {
      const stored = await this.store.read(this.core.database, importId, model.name, context)
      if (stored.result?.finished) return stored.result
      const faulty = await this.store.countFaulty(importId)
      if (faulty > 0 && !request.skipFaulty) {
        throw fileRefused(context, stored.errors, {
          zh: `有 ${faulty} 行错误，请修正文件，或选择跳过错误行。`,
          en: `${faulty} rows are faulty. Please correct the file, or choose to skip them.`,
        })
      }
      return this.commitRows(context, model, stored)
    })
    const answer: ImportResult = { created: result.created, refused: result.refused }
    if (context.idempotence) await this.core.database.transaction((tx) => context.idempotence!.settle(tx, ok(answer)))
    return answer
  }

  private async commitRows(
    context: RequestContext,
    model: EntityModel,
    stored: StoredImport,
  ): Promise<{ created: number; refused: ImportResult['refused'] }> {
    const result = { created: stored.result?.created ?? 0, refused: stored.result?.refused ?? [], finished: false }
    for (;;) {
      const rows = await this.store.nextRows(stored.id, COMMIT_BATCH)
      if (rows.length === 0) break
      const numbers = await this.numbers(context, model, rows.length)
      await this.core.database.transaction(async (tx) => {
        for (const [index, row] of rows.entries()) {
          const refused = await this.saveRow(tx, context, model, row, numbers[index]!, stored.fileName)
          if (refused === null) result.created += 1
          else result.refused.push({ row: row.row, message: refused })
        }
        // the progress stands in the transaction of the rows: a commit that broke off goes on where it was
        await this.store.progress(tx, stored.id, rows.at(-1)!.row, result)
      })
    }
    result.finished = true
    await this.store.progress(this.core.database, stored.id, null, result)
    return result
  }

  /** Null when saved, else why not. */
  private async saveRow(
    tx: Transaction,
    context: RequestContext,
    model: EntityModel,
    row: Pick<StoredRow, 'values'>,
    numbers: EntityRecord,
    fileName: string,
  ): Promise<string | null> {
    try {
      await tx.transaction((inner) =>
        saveRecord(this.core, inner, context, model, row.values, { origin: 'import', numbers, reason: fileName.slice(0, 200) }),
      )
      return null
    } catch (error) {
      if (error instanceof ServiceError) return error.messageIn(context.locale)
      throw error
    }
  }

  private async numbers(context: RequestContext, model: EntityModel, count: number): Promise<EntityRecord[]> {
    const records: EntityRecord[] = Array.from({ length: count }, () => ({}))
    for (const field of model.stored) {
      const given = await nextNumbers(
        this.core.database,
        model,
        field,
        this.core.registry.dayOf(context.now),
        field.sequence ? count : 0,
      )
      for (const [index, number] of given.entries()) records[index]![field.name] = number
    }
    return records
  }

  /** Saves the rows of a small file on trial and undoes it, so that refusals of services are told in the preview. */
  private async settleTried(
    context: RequestContext,
    model: EntityModel,
    importId: string,
    state: Reading,
    fileName: string,
  ): Promise<void> {
    if (state.total <= MOST_TRIED && this.core.registry.serviceOf(model)?.beforeSave) {
      const trial = new Error('a trial that is always undone')
      const numbers = Object.fromEntries(
        model.stored.filter((field) => field.sequence).map((field) => [field.name, `${importId}-`]),
      )
      try {
        await this.core.database.transaction(async (tx) => {
          for (const [index, row] of state.tried.entries()) {
            if (row.problems.length > 0) continue
            const own = Object.fromEntries(Object.keys(numbers).map((name) => [name, `${numbers[name]}${index}`]))
            const refused = await this.saveRow(tx, context, model, row, own, fileName)
            if (refused === null) continue
            row.problems.push({ row: row.row, field: null, column: null, value: null, message: refused })
            state.valid -= 1
            if (state.errors.length < MOST_LISTED) state.errors.push(row.problems[0]!)
          }
          throw trial
        })
      } catch (error) {
        if (error !== trial) throw error
      }
    }
    if (state.tried.length > 0) await this.store.addRows(importId, state.tried)
  }
}

interface Reading {
  columns: ImportColumn[]
  total: number
  valid: number
  errors: ImportProblem[]
  sample: EntityRecord[]
  /** Rows of a small file, kept for the trial. */
  tried: CheckedRow[]
}

function collect(state: Reading, rows: readonly CheckedRow[]): void {
  for (const row of rows) {
    state.total += 1
    if (row.problems.length === 0) state.valid += 1
    for (const problem of row.problems) if (state.errors.length < MOST_LISTED) state.errors.push(problem)
    if (state.sample.length < SAMPLE) state.sample.push(row.values)
  }
}

function isExample(row: CheckedRow, example: readonly string[]): boolean {
  const filled = row.raw.filter((value) => value !== '')
  return filled.length === example.length && filled.every((value, index) => value === example[index])
}

function fileRefused(
  context: RequestContext,
  errors: readonly ImportProblem[],
  message?: { zh: string; en: string },
): ServiceError {
  const [first] = errors
  const told = message ?? (first ? { zh: first.message, en: first.message } : undefined)
  return new ServiceError('importRefused', {
    message: told,
    data: {
      errors:
        errors.length > 0
          ? errors
          : told
            ? [{ row: null, field: null, column: null, value: null, message: told[context.locale] }]
            : [],
    },
  })
}
