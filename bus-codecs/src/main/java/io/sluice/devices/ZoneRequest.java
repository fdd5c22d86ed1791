package io.sluice.devices;

import io.sluice.units.FixedAmounts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What a pod requests of one zone for each container. It is part of the pod's amounts, as kinds that no node counts.
 *
 * @param containers what each of the containers that run together requests, by resource and by its number; those that
 *     are init containers follow
 * @param init the same of those that run before them, one after the other
 */
public record ZoneRequest(List<FixedAmounts> containers, List<FixedAmounts> init) {
    /** Nothing. */
    public static final ZoneRequest NONE = new ZoneRequest(List.of(), List.of());

    private static final String KIND = "aligned/";
    private static final String INIT = "init/";

    public ZoneRequest {
        containers = List.copyOf(containers);
        init = List.copyOf(init);
    }

    /** The request that is part of a pod's amounts. */
    public static ZoneRequest of(FixedAmounts pod) {
        var containers = new TreeMap<Integer, Map<String, Long>>();
        var init = new TreeMap<Integer, Map<String, Long>>();
        pod.byKind().forEach((kind, amount) -> {
            if (isKind(kind)) {
                boolean before = kind.startsWith(INIT, KIND.length());
                int from = KIND.length() + (before ? INIT.length() : 0);
                int to = kind.indexOf('/', from);
                (before ? init : containers)
                        .computeIfAbsent(Integer.parseInt(kind.substring(from, to)), number -> new HashMap<>())
                        .put(kind.substring(to + 1), amount);
            }
        });
        return new ZoneRequest(amounts(containers), amounts(init));
    }

    private static List<FixedAmounts> amounts(TreeMap<Integer, Map<String, Long>> byNumber) {
        return IntStream.rangeClosed(0, byNumber.isEmpty() ? -1 : byNumber.lastKey())
                .mapToObj(number -> FixedAmounts.of(byNumber.getOrDefault(number, Map.of())))
                .toList();
    }

    /** It as a part of the pod's amounts. */
    public FixedAmounts kinds() {
        var kinds = new HashMap<String, Long>();
        add(KIND, containers, kinds);
        add(KIND + INIT, init, kinds);
        return FixedAmounts.of(kinds);
    }

    private static void add(String prefix, List<FixedAmounts> parts, Map<String, Long> kinds) {
        for (int i = 0; i < parts.size(); i++) {
            var start = prefix + i + "/";
            parts.get(i).byKind().forEach((resource, amount) -> kinds.put(start + resource, amount));
        }
    }

    /** Whether a kind is part of such a request. */
    public static boolean isKind(String kind) {
        return kind.startsWith(KIND);
    }

    /** Whether nothing has to be aligned. */
    public boolean isNone() {
        return containers.isEmpty() && init.isEmpty();
    }

    /** What all containers that run together request. */
    FixedAmounts together() {
        return containers.stream().reduce(FixedAmounts.NONE, FixedAmounts::plus);
    }
}
