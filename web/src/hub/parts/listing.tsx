/** A page that lists things and makes new ones: its frame, and what stands in rows of all of them. */

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "../../widgets/button";
import type { IconName } from "../../widgets/icon";
import cell from "./cells.module.css";
import { Link } from "./link";
import { Fault, Page } from "./page";
import { type Column, Table } from "./table";

interface ListingProps<Row> {
  name: string;
  title: string;
  list: UseQueryResult<{ items: readonly Row[] }>;
  columns: readonly Column<Row>[];
  rowTestId: string;
  /** What makes a new one, where one may. */
  make: { label: string; onClick(): void } | null;
  /** What else can be done, left of that. */
  beside?: ReactNode;
  /** What is shown while there is none. */
  none?: ReactNode;
  /** What lies over the page. */
  children?: ReactNode;
}

export function Listing<Row extends { id: string }>(props: ListingProps<Row>) {
  const { name, title, list, columns, rowTestId, make, beside, none, children } = props;
  const items = list.data?.items ?? [];
  return (
    <Page
      name={name}
      title={title}
      busy={list.isPending}
      actions={
        <>
          {beside}
          {make && (
            <Button look="primary" icon="plus" data-testid="new" onClick={make.onClick}>
              {make.label}
            </Button>
          )}
        </>
      }
    >
      {list.isError && !list.data && <Fault fault={list.error} onRetry={() => void list.refetch()} />}
      {list.data && items.length === 0 && none}
      {items.length > 0 && (
        <Table label={title} rows={items} rowKey={(each) => each.id} testId={rowTestId} columns={columns} />
      )}
      {children}
    </Page>
  );
}

interface SectionProps<Row> {
  title: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  testId: string;
}

/** A table under a head of its own, as a part of a page; nothing where it has no rows. */
export function TableSection<Row extends { id: string }>({
  title,
  rows,
  columns,
  testId,
}: SectionProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <section className={cell.part}>
      <h2 className={cell.section}>{title}</h2>
      <Table label={title} rows={rows} rowKey={(each) => each.id} testId={testId} columns={columns} />
    </section>
  );
}

interface NamedProps {
  name: string;
  /** What people call it, "" for nothing but its name. */
  shown: string;
  /** Its page. */
  to?: string;
}

/** What something is called, and below it the name that programs use, where that is another. */
export function Named({ name, shown, to }: NamedProps) {
  const called = <bdi>{shown || name}</bdi>;
  return (
    <>
      {to ? (
        <Link to={to} className={cell.strong}>
          {called}
        </Link>
      ) : (
        <span className={cell.strong}>{called}</span>
      )}
      {shown && shown !== name && <bdi className={cell.second}>{name}</bdi>}
    </>
  );
}

/** One of the small buttons at the end of a row. */
export function RowTool({ icon, label, onClick }: { icon: IconName; label: string; onClick(): void }) {
  return <Button look="quiet" size="small" icon={icon} label={label} onClick={onClick} />;
}
