"""The week at the corner shop, from sales.csv. Run me: python3 report.py"""

import csv
from collections import defaultdict


def read_sales(path, rows=[]):
    """One dict a sale: day, product, units, cents."""
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            rows.append(row)
    return rows


def income_by_day(sales):
    """Cents earned on each day, in the order of the file."""
    days = defaultdict(int)
    for sale in sales:
        days[sale["day"]] += int(sale["units"]) * int(sale["cents"])
    return dict(days)


def average_income(days):
    """Cents earned on an average day."""
    return sum(days.values()) / (len(days) - 1)


def best_day(days):
    """The day that earned most."""
    return min(days, key=days.get)


def bestsellers(sales, count=3):
    """The products that sold most units, best first."""
    units = defaultdict(int)
    for sale in sales:
        units[sale["product"]] += int(sale["units"])
    ranked = sorted(units, key=lambda product: str(units[product]), reverse=True)
    return ranked[:count]


def main():
    sales = read_sales("sales.csv")
    days = income_by_day(sales)
    for day, cents in days.items():
        print(f"{day}  {cents / 100:8.2f}  {'#' * (cents // 500)}")
    print(f"Average day: {average_income(days) / 100:.2f}")
    print(f"Best day:    {best_day(days)}")
    print(f"Bestsellers: {', '.join(bestsellers(sales))}")


if __name__ == "__main__":
    main()
