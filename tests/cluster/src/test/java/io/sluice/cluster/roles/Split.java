package io.sluice.cluster.roles;

import io.sluice.launcher.core.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The roles of each process; every role is in at least one.
 *
 * @param processes the roles of each process, at least one each
 */
public record Split(List<Set<Role>> processes) {
    private static final int FEWEST = 2;
    private static final int MOST = 4;
    private static final int LEDGERS = 3;
    private static final double AGAIN = 0.25;

    public Split {
        processes = processes.stream()
                .map(roles -> Collections.unmodifiableSet(EnumSet.copyOf(roles)))
                .toList();
    }

    /** Every role in a process of its own. */
    static Split apart() {
        return new Split(everyRole().stream().map(Set::of).toList());
    }

    /**
     * A random split over two to four processes: the role ledger in one or three of them, the lab in one, and all other
     * roles in one or more.
     */
    static Split any(Random random) {
        int count = FEWEST + random.nextInt(MOST - FEWEST + 1);
        List<Set<Role>> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            processes.add(EnumSet.noneOf(Role.class));
        }
        int ledgers = count >= LEDGERS && random.nextBoolean() ? LEDGERS : 1;
        shuffled(count, random)
                .subList(0, ledgers)
                .forEach(index -> processes.get(index).add(Role.LEDGER));
        for (var role : everyRole()) {
            if (role != Role.LEDGER) {
                processes.get(random.nextInt(count)).add(role);
            }
        }
        for (var roles : processes) {
            for (var role : List.of(Role.PRESSURE, Role.AGENT, Role.MONITOR, Role.VM, Role.CLUSTER, Role.GATEWAY)) {
                if (roles.isEmpty() || random.nextDouble() < AGAIN) {
                    roles.add(role);
                }
            }
        }
        return new Split(processes);
    }

    private static List<Integer> shuffled(int count, Random random) {
        var indexes = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            indexes.add(i);
        }
        Collections.shuffle(indexes, random);
        return indexes;
    }

    /**
     * All roles that several processes may have; the store of workers is for one, and the lab has no control groups.
     */
    public static List<Role> everyRole() {
        return Arrays.stream(Role.values())
                .filter(role -> role != Role.WORKERS && role != Role.NODE_AGENT)
                .toList();
    }

    /** Whether some process resizes ordinary pods. */
    boolean scalesPods() {
        return processes.stream().anyMatch(roles -> roles.contains(Role.PODS));
    }

    int ledgers() {
        return (int)
                processes.stream().filter(roles -> roles.contains(Role.LEDGER)).count();
    }

    @Override
    public String toString() {
        return processes.stream()
                .map(roles -> roles.stream().map(Role::key).collect(Collectors.joining(" ")))
                .collect(Collectors.joining(" | "));
    }
}
