package io.sluice.simulation.exhaustive;

import io.sluice.simulation.exhaustive.digest.VisitedStates;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Plays all histories of a setup, the shorter ones first; of equal states one is followed. */
public final class Exploration {
    private static final int BRANCHES = 256;

    private final Model model;
    private final Steps steps;
    private final VisitedStates visited = new VisitedStates();
    private final AtomicLong tried = new AtomicLong();
    private final Map<String, Counterexample> broken = new TreeMap<>();
    private final SystemState first;
    private List<Branch> branches = List.of();
    private int depth;

    Exploration(Setup setup) {
        model = new Model(setup);
        steps = new Steps(model);
        first = steps.first();
        visited.add(first.digest());
        branches = List.of(new Branch(first, List.of()));
    }

    /**
     * Explores one setup to a depth, on one thread, with that many faults in a history.
     *
     * @return for each promise that breaks at the smallest depth at which one breaks: the history that breaks it
     */
    public static Map<String, String> broken(String setup, int faults, int depth) {
        var exploration = new Exploration(Setup.named(setup).withFaults(faults));
        while (exploration.depth() < depth && exploration.goesOn()) {
            exploration.deepen(1, () -> false);
        }
        var texts = new TreeMap<String, String>();
        exploration.broken().forEach((promise, example) -> texts.put(promise, example.text()));
        return texts;
    }

    /** Whether there are more states, and nothing is broken yet. */
    boolean goesOn() {
        return broken.isEmpty() && branches.stream().anyMatch(branch -> branch.newest() > 0);
    }

    /** Explores all histories that are one step longer. */
    void deepen(int threads, BooleanSupplier isOver) {
        if (branches.size() < BRANCHES) {
            split();
        }
        var queue = new ConcurrentLinkedQueue<>(branches);
        Runnable work = () -> {
            for (var branch = queue.poll(); branch != null; branch = queue.poll()) {
                branch.expand(steps, this::expand, isOver);
            }
        };
        var workers = new ArrayList<Thread>();
        var failures = new ConcurrentLinkedQueue<Throwable>();
        for (int i = 0; i < threads; i++) {
            workers.add(Thread.ofPlatform()
                    .name("exhaustive-" + i)
                    .uncaughtExceptionHandler((thread, thrown) -> failures.add(thrown))
                    .start(work));
        }
        for (var worker : workers) {
            join(worker);
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("a step failed", failures.peek());
        }
        depth++;
    }

    private static void join(Thread worker) {
        try {
            worker.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Makes each state of the newest level a branch of its own, while there are few. */
    private void split() {
        var split = new ArrayList<Branch>();
        Deque<Branch> old = new ArrayDeque<>(branches);
        while (!old.isEmpty()) {
            old.remove().leaves(steps, split);
        }
        branches = split;
    }

    private List<Step> expand(SystemState state, List<Step> path) {
        var children = new ArrayList<Step>();
        for (var step : steps.of(state)) {
            tried.incrementAndGet();
            try {
                steps.after(state, step)
                        .filter(next -> visited.add(next.digest()))
                        .ifPresent(next -> children.add(step));
            } catch (BrokenPromise promise) {
                record(promise, path, step);
            }
        }
        return children;
    }

    private synchronized void record(BrokenPromise promise, List<Step> path, Step last) {
        broken.computeIfAbsent(promise.promise(), absent -> {
            var history = new ArrayList<>(path);
            history.add(last);
            return Counterexample.of(model, steps, first, history, promise.getMessage());
        });
    }

    int depth() {
        return depth;
    }

    long states() {
        return visited.size();
    }

    long tried() {
        return tried.get();
    }

    String sizes() {
        return model.sizes();
    }

    Map<String, Counterexample> broken() {
        return broken;
    }
}
