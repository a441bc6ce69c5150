/**
 * Table: rows under headings. A heading that sorts is a button; on a phone each row becomes two lines.
 */
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import "./table.css";

/** A column of a table. */
export interface TableColumn<Row> {
  readonly id: string;
  readonly head: string;
  readonly cell: (row: Row) => ReactNode;
  /** `name`: the heading of its row. `number`: aligned at the right. */
  readonly kind?: "name" | "number";
  readonly isSorted?: boolean;
}

/** The column by which rows are sorted; `-cost`: the largest first. */
export type TableSort = string;

interface TableProps<Row> {
  /** Said to readers who cannot see it. */
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sort?: TableSort | undefined;
  /** Without it no heading is a button. */
  readonly onSort?: (sort: TableSort) => void;
  readonly classOf?: (row: Row) => string;
}

/** The table. */
export function Table<Row>({ label, columns, rows, keyOf, sort, onSort, classOf }: TableProps<Row>) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={classOf?.(row)}>
            {columns.map(({ id, head, cell, kind }) =>
              kind === "name" ? (
                <th key={id} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={id} className={kind} data-head={head}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HeadingProps {
  readonly column: Pick<TableColumn<never>, "id" | "head" | "kind" | "isSorted">;
  readonly sort: TableSort | undefined;
  readonly onSort: ((sort: TableSort) => void) | undefined;
}

function Heading({ column: { id, head, kind, isSorted = false }, sort, onSort }: HeadingProps) {
  const isUp = sort === id;
  const isDown = sort === `-${id}`;
  const Icon = isUp ? ArrowUp : ArrowDown;
  return (
    <th scope="col" className={kind} aria-sort={isUp ? "ascending" : isDown ? "descending" : undefined}>
      {isSorted && onSort !== undefined ? (
        <button type="button" onClick={() => onSort(isDown ? id : `-${id}`)}>
          {head}
          {(isUp || isDown) && <Icon size={12} aria-hidden />}
        </button>
      ) : (
        head
      )}
    </th>
  );
}
