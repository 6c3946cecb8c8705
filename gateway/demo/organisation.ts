import { addDays, instantAt, type Day } from '../platform/calendar'
import { COUNTRIES, inventMobile, inventPerson, mailOf } from './names'
import type { Chance } from './random'
import type { DemoDepartment, DemoMember, DemoRole, DemoStaff, Organisation } from './types'

/** Where the portal's own people sit: mail domain of the demo company. */
const COMPANY_DOMAIN = 'switchboard.example'

interface TeamPlan {
  code: string
  parent: string | null
  name: string
  nameEn: string
  kind: string
  /** Positions and how many of each; the first one leads. */
  people: readonly (readonly [position: string, count: number])[]
  /** Countries that the team's sales people cover. */
  countries?: readonly string[]
}

const TEAMS: readonly TeamPlan[] = [
  {
    code: 'HQ',
    parent: null,
    name: '总部',
    nameEn: 'Headquarters',
    kind: 'company',
    people: [
      ['ceo', 1],
      ['hr', 1],
    ],
  },
  { code: 'SALES', parent: 'HQ', name: '销售中心', nameEn: 'Sales', kind: 'sales', people: [['salesDirector', 1]] },
  {
    code: 'S-CN',
    parent: 'SALES',
    name: '中国区',
    nameEn: 'China Region',
    kind: 'sales',
    people: [['salesLead', 1]],
    countries: ['CN', 'HK'],
  },
  {
    code: 'S-CN1',
    parent: 'S-CN',
    name: '中国一组',
    nameEn: 'China Team 1',
    kind: 'sales',
    people: [
      ['salesLead', 1],
      ['sales', 7],
    ],
    countries: ['CN'],
  },
  {
    code: 'S-CN2',
    parent: 'S-CN',
    name: '中国二组',
    nameEn: 'China Team 2',
    kind: 'sales',
    people: [
      ['salesLead', 1],
      ['sales', 6],
    ],
    countries: ['CN', 'HK'],
  },
  {
    code: 'S-AP',
    parent: 'SALES',
    name: '亚太区',
    nameEn: 'Asia-Pacific Region',
    kind: 'sales',
    people: [['salesLead', 1]],
    countries: ['SG', 'ID', 'VN', 'PH', 'IN', 'JP'],
  },
  {
    code: 'S-AP1',
    parent: 'S-AP',
    name: '东南亚组',
    nameEn: 'South-East Asia Team',
    kind: 'sales',
    people: [
      ['salesLead', 1],
      ['sales', 6],
    ],
    countries: ['SG', 'ID', 'VN', 'PH'],
  },
  {
    code: 'S-AP2',
    parent: 'S-AP',
    name: '南亚与日韩组',
    nameEn: 'South Asia and Japan Team',
    kind: 'sales',
    people: [
      ['salesLead', 1],
      ['sales', 3],
    ],
    countries: ['IN', 'JP'],
  },
  {
    code: 'S-EM',
    parent: 'SALES',
    name: '欧洲中东非洲区',
    nameEn: 'EMEA Region',
    kind: 'sales',
    people: [
      ['salesLead', 1],
      ['sales', 6],
    ],
    countries: ['AE', 'NG', 'GB', 'DE', 'FR', 'RU', 'TR', 'ZA', 'KE'],
  },
  {
    code: 'S-AM',
    parent: 'SALES',
    name: '美洲区',
    nameEn: 'Americas Region',
    kind: 'sales',
    people: [
      ['salesLead', 1],
      ['sales', 5],
    ],
    countries: ['US', 'BR', 'MX'],
  },
  {
    code: 'PROC',
    parent: 'HQ',
    name: '采购部',
    nameEn: 'Procurement',
    kind: 'purchase',
    people: [
      ['buyerLead', 1],
      ['buyer', 5],
    ],
  },
  {
    code: 'FIN',
    parent: 'HQ',
    name: '财务部',
    nameEn: 'Finance',
    kind: 'finance',
    people: [
      ['financeLead', 1],
      ['finance', 4],
    ],
  },
  {
    code: 'OPS',
    parent: 'HQ',
    name: '运营部',
    nameEn: 'Operations',
    kind: 'operations',
    people: [
      ['opsLead', 1],
      ['noc', 5],
    ],
  },
  {
    code: 'CSC',
    parent: 'HQ',
    name: '客服部',
    nameEn: 'Customer Service',
    kind: 'service',
    people: [
      ['serviceLead', 1],
      ['service', 4],
    ],
  },
  { code: 'TECH', parent: 'HQ', name: '技术部', nameEn: 'Technology', kind: 'tech', people: [['dev', 3]] },
  { code: 'RISK', parent: 'HQ', name: '风控部', nameEn: 'Risk', kind: 'admin', people: [['risk', 2]] },
  { code: 'LEGAL', parent: 'HQ', name: '法务部', nameEn: 'Legal', kind: 'admin', people: [['legal', 2]] },
  { code: 'TREASURY', parent: 'HQ', name: '财务管理', nameEn: 'Treasury', kind: 'finance', people: [['cfo', 1]] },
  { code: 'SUPPLY', parent: 'HQ', name: '供应链中心', nameEn: 'Supply', kind: 'purchase', people: [['buyerDirector', 1]] },
  { code: 'PRICING', parent: 'HQ', name: '定价组', nameEn: 'Pricing', kind: 'operations', people: [['pricing', 1]] },
]

/** Which role a position brings with it. */
const ROLE_OF_POSITION: Readonly<Record<string, string>> = {
  ceo: 'generalManager',
  salesDirector: 'salesManager',
  salesLead: 'salesManager',
  sales: 'sales',
  finance: 'finance',
  financeLead: 'finance',
  opsLead: 'operations',
  noc: 'operations',
  service: 'service',
  serviceLead: 'service',
  dev: 'administrator',
  risk: 'risk',
  hr: 'humanResources',
  buyer: 'procurement',
  buyerLead: 'procurementManager',
  buyerDirector: 'procurementManager',
  cfo: 'finance',
  legal: 'risk',
  pricing: 'operations',
}
/** Edge cases of the demo guide: nobody at all, and menus without buttons. */
const WITHOUT_ROLE = 'S0050'
const MENUS_ONLY = 'S0051'
/** Whose portfolios stand at the limits: a full holding cap, one below it with class A and dealt customers, all claims of the day. */
export const CAP_STAFF: readonly string[] = ['S0042', 'S0043', 'S0044']
/** Neither a newcomer nor a senior: the ordinary cap holds. */
const CAP_STAFF_HIRED = 400

/** Makes departments, staff, roles and memberships as they stand on `today`. */
export function makeOrganisation(random: Chance, today: Day, timeZone: string, roles: DemoRole[]): Organisation {
  const codes = new Set(roles.map(({ code }) => code))
  const departments: DemoDepartment[] = []
  const staff: DemoStaff[] = []
  const members: DemoMember[] = []
  const covers = new Map<string, readonly string[]>()
  const china = COUNTRIES[0]
  if (!china) throw new Error('The country table is empty')
  const names = new Set<string>()
  let number = 0
  for (const [sortNo, team] of TEAMS.entries()) {
    const parent = departments.find((department) => department.code === team.parent)
    const id = `dp-${team.code.toLowerCase()}`
    const department: DemoDepartment = {
      id,
      code: team.code,
      name: team.name,
      nameEn: team.nameEn,
      parentId: parent?.id ?? null,
      path: `${parent?.path ?? '/'}${id}/`,
      leaderId: null,
      kind: team.kind,
      sortNo,
      enabled: true,
    }
    departments.push(department)
    for (const [position, count] of team.people) {
      for (let index = 0; index < count; index += 1) {
        number += 1
        const jobNumber = `S${String(number).padStart(4, '0')}`
        const person = inventUniquePerson(random, names)
        const lead = /Lead|Director|ceo|cfo/.test(position)
        const invented = addDays(
          today,
          -(lead
            ? random.integer(900, 2600)
            : random.weighted([
                [random.integer(20, 80), 1],
                [random.integer(200, 700), 4],
                [random.integer(731, 2200), 4],
              ])),
        )
        const hiredOn = CAP_STAFF.includes(jobNumber) ? addDays(today, -CAP_STAFF_HIRED) : invented
        const status =
          position === 'sales' && number % 17 === 0 ? 'leave' : hiredOn > addDays(today, -80) ? 'probation' : 'active'
        const one: DemoStaff = {
          id: `st-${jobNumber.toLowerCase()}`,
          jobNumber,
          name: person.name,
          nameEn: person.latin,
          email: mailOf(`${person.latin} ${number}`.replace(/ \d+$/, ''), COMPANY_DOMAIN).replace('@', `.${number}@`),
          phone: inventMobile(random, china),
          mainDeptId: id,
          deptIds: [id],
          position,
          managerId: null,
          status,
          hiredOn,
          leftOn: null,
          countries: [...(team.countries ?? [])],
          languages: team.code.startsWith('S-CN') ? ['zh-CN'] : ['zh-CN', 'en-US'],
          onDuty: status !== 'leave',
          timeZone: 'Asia/Shanghai',
        }
        staff.push(one)
        covers.set(one.id, team.countries ?? [])
        if (index === 0 && department.leaderId === null) department.leaderId = one.id
        one.managerId = department.leaderId === one.id ? (parent?.leaderId ?? null) : department.leaderId
        const role = jobNumber === WITHOUT_ROLE ? null : jobNumber === MENUS_ONLY ? 'menusOnly' : ROLE_OF_POSITION[position]
        if (role && codes.has(role))
          members.push({
            id: `rm-${jobNumber.toLowerCase()}`,
            staffId: one.id,
            roleId: `ro-${role}`,
            from: instantAt(hiredOn, '00:00', timeZone).toISOString(),
            until: null,
          })
      }
    }
  }
  return { departments, staff, roles, members, covers }
}

function inventUniquePerson(random: Chance, taken: Set<string>): { name: string; latin: string } {
  for (;;) {
    const person = inventPerson(random, 'chinese')
    if (taken.has(person.name)) continue
    taken.add(person.name)
    return person
  }
}
