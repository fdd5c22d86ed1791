package io.sluice.pressure.core.migrations;

import io.sluice.pressure.core.choice.Cooldown;
import io.sluice.pressure.core.choice.PressureRules;
import io.sluice.shell.BoundedMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The VMs that stay where they are for some time after their last migration. They are lost with the process. */
public final class Cooldowns {
    private static final int KEPT_MAX = 10_000;

    private static final Duration PAUSE = Duration.ofSeconds(10);

    private enum After {
        MOVED("its last migration"),
        STAYED("its last migration"),
        REFUSED("the ledger refused its migration");

        private final String sentence;

        After(String sentence) {
            this.sentence = sentence;
        }
    }

    private record Rest(Instant since, After after) {
        Duration left(PressureRules rules, Instant now) {
            return Duration.between(now, since.plus(after == After.REFUSED ? PAUSE : rules.cooldown()));
        }

        Cooldown resting(PressureRules rules, Instant now) {
            return new Cooldown(left(rules, now), after.sentence);
        }
    }

    private final Map<String, Rest> rests = BoundedMap.ofNewest(KEPT_MAX);

    /** Starts the cooldown of a VM whose migration has just ended. */
    void begin(String vm, boolean moved, Instant now) {
        put(vm, new Rest(now, moved ? After.MOVED : After.STAYED));
    }

    /** Starts a short pause of a VM that cannot be migrated now; an existing cooldown stays, as it is longer. */
    void pause(String vm, Instant now) {
        if (!rests.containsKey(vm)) {
            put(vm, new Rest(now, After.REFUSED));
        }
    }

    private void put(String vm, Rest rest) {
        rests.remove(vm);
        rests.put(vm, rest);
    }

    /**
     * The remaining cooldown of a VM; empty when it may be migrated.
     *
     * @param evenIfMoved whether a successful migration counts
     */
    public Optional<Cooldown> of(String vm, boolean evenIfMoved, PressureRules rules, Instant now) {
        return Optional.ofNullable(rests.get(vm))
                .filter(rest -> evenIfMoved || rest.after != After.MOVED)
                .map(rest -> rest.resting(rules, now))
                .filter(resting -> resting.left().isPositive());
    }

    /** Removes those that are over. */
    public void prune(PressureRules rules, Instant now) {
        rests.values().removeIf(rest -> !rest.left(rules, now).isPositive());
    }

    /** The number of VMs in cooldown. */
    public int size() {
        return rests.size();
    }

    /** The remaining cooldown of each VM, sorted by VM. */
    public Map<String, Cooldown> all(PressureRules rules, Instant now) {
        var all = new TreeMap<String, Cooldown>();
        rests.forEach((vm, rest) -> all.put(vm, rest.resting(rules, now)));
        return all;
    }
}
