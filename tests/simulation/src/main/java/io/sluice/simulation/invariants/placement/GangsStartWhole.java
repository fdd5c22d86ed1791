package io.sluice.simulation.invariants.placement;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.placement.core.gangs.GangSpec.MatchPolicy;
import io.sluice.simulation.invariants.Invariant;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.simulation.model.placement.ModelGang;
import io.sluice.simulation.model.placement.ModelPod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * No member of a gang is bound before its minimum, less those that its match policy counts, is held at one time. Once
 * some are bound, no release leaves fewer than the minimum held, bound or succeeded, unless it was reported that the
 * gang is degraded, or a pod was deleted. What was held where the ledger's state is lost, or where a node vanishes, is
 * no release; after it some members may find room again, and others not.
 */
public final class GangsStartWhole implements Invariant {
    private final Map<ModelGang, Course> courses = new HashMap<>();

    /** What has happened to a gang, by its pods and the ledger alone. */
    private static final class Course {
        private final Set<String> bound = new HashSet<>();

        /** The members that were held when enough were. */
        private final Set<String> together = new HashSet<>();

        private Map<String, Boolean> room = Map.of();
        private boolean started;
        private boolean excused;

        /** Whether a ledger lost what it held for members, so that only some of them may find room again. */
        private boolean lost;

        private int excuses;
    }

    @Override
    public String name() {
        return "gangs start whole";
    }

    @Override
    public void check(World world) {
        var gangs = world.placement().gangs();
        if (gangs.isEmpty()) {
            courses.clear();
            return;
        }
        courses.keySet().retainAll(gangs);
        for (var gang : gangs) {
            var course = courses.computeIfAbsent(gang, added -> new Course());
            course.excused |= course.excuses != gang.excuses();
            course.excuses = gang.excuses();
            for (var pod : gang.members()) {
                if (pod.boundTo().isPresent() && course.bound.add(pod.uid())) {
                    binds(gang, course, pod);
                }
            }
            for (var happening : world.happenings()) {
                if (happening instanceof Happening.Commanded step && step.before() != step.after()) {
                    commanded(world, gang, course, step);
                }
            }
        }
    }

    private void binds(ModelGang gang, Course course, ModelPod pod) {
        boolean later = course.started && gang.spec().matchPolicy() == MatchPolicy.ONCE_SATISFIED;
        if (!course.together.contains(pod.uid()) && !later && !course.excused) {
            throw broken(pod.name() + " is bound, and " + gang.spec().minMember() + " were never held with it: "
                    + course.room);
        }
        course.started = true;
    }

    private void commanded(World world, ModelGang gang, Course course, Happening.Commanded step) {
        var before = course.room;
        course.room = room(world, gang);
        if (course.room.equals(before)) {
            return;
        }
        if (count(gang, course) >= gang.spec().minMember()) {
            course.lost = false;
            course.room.forEach((uid, held) -> {
                if (held) {
                    course.together.add(uid);
                }
            });
        }
        boolean released =
                step.command() instanceof LedgerCommand.Release && step.reply() instanceof HoldReply.Released;
        course.together.removeIf(uid -> !course.room.containsKey(uid) && released);
        boolean anyBound = gang.members().stream().anyMatch(pod -> pod.boundTo().isPresent());
        int there = course.room.size() + gang.succeeded();
        course.lost = isLost(gang, course, before, step) || course.lost && !(released && there == 0);
        course.excused = course.lost || course.excused && there > 0;
        if (anyBound && there < gang.spec().minMember()) {
            if (released && !course.excused) {
                throw broken("gang " + gang.spec().key().label() + " of "
                        + gang.spec().minMember() + " has started, and has " + there + " with room after "
                        + reported(step));
            }
            course.excused = true;
        }
    }

    private static boolean isLost(
            ModelGang gang, Course course, Map<String, Boolean> before, Happening.Commanded step) {
        var released = step.command() instanceof LedgerCommand.Release(var pod, var _) ? pod : "";
        return gang.members().stream()
                .map(ModelPod::uid)
                .anyMatch(uid -> before.containsKey(uid) && !course.room.containsKey(uid) && !uid.equals(released));
    }

    private static String reported(Happening.Commanded step) {
        return step.command() + " => " + step.reply() + " on " + step.node();
    }

    /** The members that have room, and whether it is held for them. */
    private static Map<String, Boolean> room(World world, ModelGang gang) {
        var room = new HashMap<String, Boolean>();
        for (var pod : gang.members()) {
            if (pod.boundTo().isPresent()) {
                room.put(pod.uid(), false);
            } else if (world.nodeNames().stream()
                    .anyMatch(
                            node -> world.ledger().reservation(node, pod.uid()).isPresent())) {
                room.put(pod.uid(), true);
            }
        }
        return room;
    }

    private static int count(ModelGang gang, Course course) {
        long held = course.room.values().stream().filter(it -> it).count();
        return (int)
                switch (gang.spec().matchPolicy()) {
                    case ONLY_WAITING -> held;
                    case WAITING_AND_RUNNING -> course.room.size();
                    case ONCE_SATISFIED -> course.room.size() + gang.succeeded();
                };
    }
}
