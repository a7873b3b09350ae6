#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# All interleavings of up to four children at the meeting point, any of which
# may die anywhere; see meet_model.c.  And, so that we know that the explorer
# would tell: a meeting point with a mistake, of which it has to find each.
# LONG=1 also explores three children with every kind of accident at once,
# which takes minutes and two gigabytes.
set -u
here=$(dirname "$0")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

if [ "$(uname -m)" != x86_64 ]; then
	echo "1..0 # SKIP the explorer knows x86-64 only"
	exit 0
fi

# Without optimization there are more states: those of variables that nobody needs any more.
flags=(-std=gnu11 -D_GNU_SOURCE -Os "-I$here/include" "-I$here/../../plugin")
read -ra compiler <<<"${CC:-cc}"
echo 'int x;' >"$folder/x.c"
"${compiler[@]}" -fzero-call-used-regs=all -c -o "$folder/x.o" "$folder/x.c" 2>/dev/null &&
	flags+=(-fzero-call-used-regs=all)

build()
{
	"${compiler[@]}" "${flags[@]}" "${@:2}" -o "$folder/$1" "$here/meet_model.c"
}

count=0
failed=0
result()
{
	count=$((count + 1))
	[ "$1" = 0 ] && { echo "ok $count - $2"; return; }
	echo "not ok $count - $2"
	failed=1
}

explored()
{
	local said status

	said=$("$folder/model" "$@")
	status=$?
	[ -z "$said" ] || printf '# %s\n' "${said#\# }"
	result $status "children and accidents: $*"
}

# shellcheck disable=SC2016 # the dollars are perl's
# mistake NAME PERL OPTION...: meet.c changed by PERL; the explorer must find it.
mistake()
{
	local name=$1 status

	perl -0pe "$2" "$here/../../plugin/meet.c" >"$folder/meet.c"
	if cmp -s "$folder/meet.c" "$here/../../plugin/meet.c"; then
		echo "# meet.c has changed, and the mistake has no place in it any more"
		result 1 "mistake: $name"
		return
	fi
	build mistaken "-DMEET_C=\"$folder/meet.c\"" || { result 1 "mistake: $name"; return; }
	"$folder/mistaken" "${@:3}" | head -n 1
	status=${PIPESTATUS[0]}
	[ "$status" = 1 ]
	result $? "mistake found: $name"
}

build model || exit 1
explored -c 1 -k 1 -f -i -m
explored -c 2 -w
explored -c 3 -w
explored -c 4 -w
explored -c 2 -k 2 -f -i -m
explored -c 3 -k 3 -f
explored -c 3 -k 1 -m
explored -c 4 -k 4
[ -z "${LONG:-}" ] || explored -c 3 -k 3 -f -i -m

mistake 'the gate opens and wakes nobody' \
	's/GATE_OPEN\)\)\n\t\tfutex_wake_all\(&meet->gate\);/GATE_OPEN))\n\t\t;/' -c 2 -w
mistake 'the settle phase ends and wakes nobody' \
	's/SETTLE_DONE\);\n\t\tfutex_wake_all\(&meet->settled\);/SETTLE_DONE);/' -c 2 -w
mistake 'nobody looks out for the dead' 's/\n\t\tlook_out\(meet, self, world\);/\n\t\t;/' -c 2 -k 1
mistake 'the living are called dead' 's/ && world->gone\(world->context, i\)//' -c 2
mistake 'the gate opens one child too early' 's/\+ 1 == meet->children/+ 1 >= meet->children - 1/' \
	-c 3
mistake 'an open gate is broken' \
	's/if \(!atomic_compare_exchange_strong\(&meet->gate, &shut, GATE_BROKEN \+ self\)\)\n\t\treturn;/atomic_store(&meet->gate, GATE_BROKEN + self);/' \
	-c 3 -k 1
mistake 'who leaves early does not break the gate' \
	's/meet_break\(meet, self, "child %u of %u gave up.*?;/;/s' -c 2 -f
mistake 'the reason comes after the breaking' \
	's/(\tva_start.*?va_end\(arguments\);\n)(.*?return;\n)/$2$1/s' -c 2 -f
mistake 'the stop flag is up before its time is there' \
	's/(\tatomic_compare_exchange_strong\(&meet->flag_ns.*?;\n)(\tatomic_store\(&meet->stop, 1\);\n)/$2$1/' \
	-c 2
mistake 'a settle phase that failed is passed' \
	's/\t\tif \(failed\)\n\t\t\tmeet_break.*?;\n//s; s/return failed \|\| /return /' -c 2 -f

echo "1..$count"
exit $failed
