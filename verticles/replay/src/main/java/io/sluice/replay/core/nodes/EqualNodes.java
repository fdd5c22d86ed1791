package io.sluice.replay.core.nodes;

import io.sluice.units.Resources;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Equal nodes on which the VMs of a trace stand.
 *
 * @param count how many
 * @param total the size of each
 */
public record EqualNodes(int count, Resources total) {
    public static final int NODES_MAX = 10_000;

    private static final Pattern TEXT = Pattern.compile("(\\d{1,5})x(\\d{1,5})/(\\d{1,7})(Mi|Gi)B?");
    private static final int CPU = 1_000;
    private static final int MEBI_BITS = 20;
    private static final int GIBI_BITS = 30;

    public EqualNodes {
        if (count < 1 || count > NODES_MAX || total.hasZero()) {
            throw new IllegalArgumentException("there are 1 to " + NODES_MAX + " nodes, with CPU and memory");
        }
    }

    /** Of a text such as {@code 20x32/128GiB}: 20 nodes, each of 32 CPUs and 128 GiB. */
    public static Optional<EqualNodes> parse(String text) {
        var parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        int count = Integer.parseInt(parts.group(1));
        int bits = parts.group(4).equals("Gi") ? GIBI_BITS : MEBI_BITS;
        var total = new Resources(Long.parseLong(parts.group(2)) * CPU, Long.parseLong(parts.group(3)) << bits);
        return count < 1 || count > NODES_MAX || total.hasZero()
                ? Optional.empty()
                : Optional.of(new EqualNodes(count, total));
    }
}
