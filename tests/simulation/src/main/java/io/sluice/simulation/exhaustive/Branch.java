package io.sluice.simulation.exhaustive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * All histories that begin with the same few steps. Of each state only the last step to it is stored, level by level,
 * three bytes each. The states themselves are computed again on the way to the newest level.
 */
final class Branch {
    private final SystemState root;
    private final List<Step> prefix;
    private final List<Level> levels = new ArrayList<>();
    private int[] next = {};

    /** The steps that lead to a level's states, and how many states of the next level follow from each. */
    private static final class Level {
        private short[] steps = new short[8];
        private byte[] counts = new byte[8];
        private int states;
        private int expanded;

        void add(short step) {
            if (states == steps.length) {
                steps = Arrays.copyOf(steps, 2 * states);
            }
            steps[states++] = step;
        }

        void expanded(int children) {
            if (children > Byte.MAX_VALUE - Byte.MIN_VALUE) {
                throw new IllegalStateException(children + " steps lead on from one state");
            }
            if (expanded == counts.length) {
                counts = Arrays.copyOf(counts, 2 * expanded);
            }
            counts[expanded++] = (byte) children;
        }

        int count(int state) {
            return Byte.toUnsignedInt(counts[state]);
        }
    }

    /** The work on one state of the newest level. */
    @FunctionalInterface
    interface Expansion {
        /** The steps to new states; {@code path} leads to this state. */
        List<Step> expand(SystemState state, List<Step> path);
    }

    Branch(SystemState root, List<Step> prefix) {
        this.root = root;
        this.prefix = List.copyOf(prefix);
        var first = new Level();
        first.add((short) 0);
        levels.add(first);
    }

    /** Number of states of the newest level. */
    int newest() {
        return levels.getLast().states;
    }

    /** Computes the next level; a state that is not expanded before the time is over has no successors. */
    void expand(Steps steps, Expansion expansion, BooleanSupplier isOver) {
        next = new int[levels.size()];
        var grown = new Level();
        var path = new ArrayList<>(prefix);
        walk(root, 0, path, new Walk(steps, expansion, isOver, grown));
        levels.add(grown);
    }

    /** Creates a branch for each state of the newest level. */
    void leaves(Steps steps, List<Branch> into) {
        next = new int[levels.size()];
        var path = new ArrayList<>(prefix);
        Expansion leaf = (state, at) -> {
            into.add(new Branch(state, at));
            return List.of();
        };
        walk(root, 0, path, new Walk(steps, leaf, () -> false, new Level()));
    }

    private record Walk(Steps steps, Expansion expansion, BooleanSupplier isOver, Level grown) {}

    private void walk(SystemState state, int depth, List<Step> path, Walk walk) {
        if (walk.isOver().getAsBoolean()) {
            return;
        }
        var level = levels.get(depth);
        int self = next[depth]++;
        if (depth == levels.size() - 1) {
            var children = walk.expansion().expand(state, path);
            children.forEach(step -> walk.grown().add(step.code()));
            level.expanded(children.size());
            return;
        }
        var below = levels.get(depth + 1);
        for (int i = level.count(self); i > 0; i--) {
            int child = next[depth + 1];
            if (depth + 1 < levels.size() - 1 && below.count(child) == 0) {
                next[depth + 1]++;
                continue;
            }
            var step = Step.of(below.steps[child]);
            path.add(step);
            walk(walk.steps().after(state, step).orElseThrow(), depth + 1, path, walk);
            path.removeLast();
        }
    }
}
