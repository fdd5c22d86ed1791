package io.sluice.replay.core.nodes;

import io.sluice.units.Resources;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The nodes on which the VMs of a trace stand.
 *
 * @param totals the size of each; none for those that the trace names
 */
public record NodeSizes(List<Resources> totals) {
    public static final int NODES_MAX = 10_000;
    /** Those that a recording names. */
    public static final NodeSizes RECORDED = new NodeSizes(List.of());

    private static final String RECORDED_TEXT = "recorded";
    private static final Pattern TEXT = Pattern.compile("(\\d{1,5})x(\\d{1,5})/(\\d{1,7})(Mi|Gi)B?");
    private static final int CPU = 1_000;
    private static final int MEBI_BITS = 20;
    private static final int GIBI_BITS = 30;

    public NodeSizes {
        totals = List.copyOf(totals);
        if (totals.size() > NODES_MAX || totals.stream().anyMatch(Resources::hasZero)) {
            throw new IllegalArgumentException("there are at most " + NODES_MAX + " nodes, with CPU and memory");
        }
    }

    /** Equal nodes. */
    public static NodeSizes equal(int count, Resources total) {
        return new NodeSizes(Collections.nCopies(count, total));
    }

    /** Of a text such as {@code 20x32/128GiB}: 20 nodes, each of 32 CPUs and 128 GiB; or {@code recorded}. */
    public static Optional<NodeSizes> parse(String text) {
        if (text.equals(RECORDED_TEXT)) {
            return Optional.of(RECORDED);
        }
        var parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        int count = Integer.parseInt(parts.group(1));
        int bits = parts.group(4).equals("Gi") ? GIBI_BITS : MEBI_BITS;
        var total = new Resources(Long.parseLong(parts.group(2)) * CPU, Long.parseLong(parts.group(3)) << bits);
        return count < 1 || count > NODES_MAX || total.hasZero() ? Optional.empty() : Optional.of(equal(count, total));
    }
}
