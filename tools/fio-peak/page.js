// SPDX-License-Identifier: GPL-2.0-only
// Makes the tables sortable: a button in each head. What is no number is last.
(function () {
	"use strict";

	// 1,234 or +9.1%, perhaps with a sign of comparison before it
	function number(text) {
		return parseFloat(text.replace(/^[^0-9+.-]*=/, "").replace(/,/g, ""));
	}

	function compare_numbers(a, b, up) {
		var x = number(a), y = number(b);

		if (isNaN(x) || isNaN(y))
			return isNaN(x) - isNaN(y);
		return up ? x - y : y - x;
	}

	function compare_texts(a, b, up) {
		return (up ? 1 : -1) * a.localeCompare(b, undefined, { numeric: true });
	}

	// The first click puts the largest number or the first word on top, the next turns it round.
	function sort(table, th, column) {
		var numeric = th.className === "n", now = th.getAttribute("aria-sort");
		var up = now ? now === "descending" : !numeric;
		var compare = numeric ? compare_numbers : compare_texts;
		var body = table.tBodies[0], rows = Array.from(body.rows);

		table.querySelectorAll("th").forEach(function (other) {
			other.removeAttribute("aria-sort");
		});
		th.setAttribute("aria-sort", up ? "ascending" : "descending");
		rows.sort(function (a, b) {
			return compare(a.cells[column].textContent, b.cells[column].textContent, up);
		});
		rows.forEach(function (row) {
			body.appendChild(row);
		});
	}

	document.querySelectorAll("table").forEach(function (table) {
		table.querySelectorAll("thead th").forEach(function (th, column) {
			var button = document.createElement("button");

			if (!th.textContent)
				return;
			button.type = "button";
			button.title = "sort";
			button.textContent = th.textContent;
			th.textContent = "";
			th.appendChild(button);
			button.addEventListener("click", function () {
				sort(table, th, column);
			});
		});
	});
}());
