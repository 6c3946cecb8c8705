import { describe, expect, it } from 'vitest'
import { at, below, inMenu, isDetail, modules, routes, under } from '../../../support/routeTable'

describe('The routes of procurement', () => {
  it('R001 stands between the home page and the customers', () => {
    const placed = modules.filter((module) => module.name !== 'shell' && module.routes.length > 0)
    const named = placed.sort((a, b) => (a.sort ?? 0) - (b.sort ?? 0))
    expect(named.slice(0, 3).map(({ name }) => name)).toEqual(['home', 'srm', 'crm'])
  })

  it('holds those of the specification', () => {
    expect(routes.filter(({ module }) => module === 'srm').length).toBeGreaterThanOrEqual(53)
    expect(routes.length).toBeGreaterThanOrEqual(410)
  })

  it('R068 has its detail routes', () => {
    const names = ['supplier/my-supplier/details', 'supplier/sea-supplier/details', 'submittedApply', 'submittedDetail']
    expect(under('/srm', names).filter((path) => !isDetail(path))).toEqual([])
  })

  it('R120 R121 R122 has the operation pages of procurement, and the archived page outside the menu', () => {
    for (const name of ['lication', 'check']) expect(at(`/srm/operate/supplier/${name}`).kind).toBe('form')
    for (const name of ['stock-in', 'stock-out'])
      expect(at(`/srm/equipment-purchase/warehouse/${name}/operation`).kind).toBe('form')
    expect(inMenu('/srm/equipment-purchase/equipment-purchase-request')).toBe(false)
    expect(at('/srm/equipment-purchase/equipment-purchase-request').kind).toBe('list')
  })

  it('R016 finds the menu areas that the documents name without a route', () => {
    const areas = below('/srm').filter((path) => at(path).menu === true)
    expect(areas.filter((path) => !inMenu(path))).toEqual([])
    expect(areas.length).toBeGreaterThan(5)
  })
})
