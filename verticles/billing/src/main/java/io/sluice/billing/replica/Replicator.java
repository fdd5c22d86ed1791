package io.sluice.billing.replica;

import io.sluice.billing.core.UnconfirmedWindows;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import io.sluice.shell.Replica;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * Copies the leader's checkpoint and the windows that no sink has confirmed to other processes, and reads what another
 * leader has copied. Windows are copied before the checkpoint that follows them, so that no window is left out. All
 * methods run on one context.
 */
public final class Replicator {
    private static final String CHECKPOINT = "checkpoint/";
    private static final String DISK = "disk/";
    private static final String WINDOW = "window/";
    private static final int WINDOWS_MOST = 10_000;

    private final Replica replica;
    private final String process;
    private final String clock;
    private final UnconfirmedWindows windows;
    private Map<String, byte[]> checkpoint = new LinkedHashMap<>();
    private Map<String, byte[]> copies = new LinkedHashMap<>();
    private final Set<String> dropped = new HashSet<>();
    private final Set<String> taken = new HashSet<>();
    private Set<String> outdated = Set.of();
    private String author;
    private long turns;
    private long number;
    private Future<Void> writing = Future.succeededFuture();
    private Optional<Throwable> failure = Optional.empty();

    /**
     * Creates it without copies.
     *
     * @param process name of this process
     * @param clock the entry of a checkpoint that is written last
     * @param maxBytes the most bytes of windows
     */
    public Replicator(Replica replica, String process, String clock, long maxBytes) {
        this.replica = replica;
        this.process = process;
        this.author = process;
        this.clock = clock;
        this.windows = new UnconfirmedWindows(maxBytes, WINDOWS_MOST);
    }

    /**
     * What other processes have copied.
     *
     * @param ofLeaders whether a leader has written one of the checkpoints, and not only processes at their start
     * @param checkpoints the entries that are written last, by author
     */
    public record Found(boolean ofLeaders, Map<String, byte[]> checkpoints) {}

    /** The keys of the windows that other leaders copied. */
    public Future<List<String>> windows() {
        return replica.keys()
                .map(keys -> keys.stream()
                        .filter(key -> key.startsWith(WINDOW) && !key.startsWith(WINDOW + process + "."))
                        .filter(key -> !taken.contains(key))
                        .sorted()
                        .toList());
    }

    /** Reads which checkpoints there are. */
    public Future<Found> find() {
        return replica.keys().compose(keys -> {
            outdated = new HashSet<>(keys);
            outdated.removeIf(key -> key.startsWith(WINDOW));
            return found(keys);
        });
    }

    /** The same for a process that does not lead. */
    public Future<Found> findOthers() {
        return replica.keys().compose(this::found);
    }

    private Future<Found> found(Set<String> keys) {
        var clocks = keys.stream()
                .filter(key -> !key.startsWith(WINDOW) && key.endsWith("/" + clock))
                .toList();
        boolean ofLeaders = clocks.stream().anyMatch(key -> key.startsWith(CHECKPOINT));
        return replica.read(clocks).map(read -> {
            var byAuthor = new HashMap<String, byte[]>();
            read.forEach((key, value) -> byAuthor.put(key.substring(0, key.length() - clock.length()), value));
            return new Found(ofLeaders, byAuthor);
        });
    }

    /** This process leads from now on. Its checkpoint is apart from that of the last time. */
    public void begin() {
        author = process + "." + ++turns;
        checkpoint = new LinkedHashMap<>();
    }

    /** Reads a checkpoint that was found. */
    public Future<Map<String, byte[]>> checkpoint(String of) {
        return replica.keys()
                .map(keys -> keys.stream().filter(key -> key.startsWith(of)).toList())
                .compose(replica::read)
                .map(read -> {
                    var entries = new HashMap<String, byte[]>();
                    read.forEach((key, value) -> entries.put(key.substring(of.length()), value));
                    return entries;
                });
    }

    /** Copies the checkpoint on this process's disk, for a leader that finds no better one. */
    public Future<Void> offer(Map<String, byte[]> onDisk) {
        return put(DISK + process + "/", onDisk);
    }

    /** Removes the copy of the checkpoint on this process's disk. */
    public Future<Void> withdraw() {
        return replica.keys()
                .map(keys -> keys.stream()
                        .filter(key -> key.startsWith(DISK + process + "/"))
                        .toList())
                .compose(replica::remove);
    }

    /**
     * Reads a window that was found; without events if it is not there any more. Fails with an
     * {@link UncheckedIOException} if this version cannot read its events.
     */
    public Future<Map<EventKind, List<byte[]>>> window(String key) {
        return replica.read(List.of(key)).map(read -> {
            try {
                return read.containsKey(key) ? WindowLines.read(read.get(key)) : Map.of();
            } catch (IOException unreadable) {
                throw new UncheckedIOException("the window " + key + ": " + unreadable.getMessage(), unreadable);
            }
        });
    }

    /** The outbox of this process has a window that another one copied. */
    public void took(String key, Map<EventKind, List<byte[]>> events, Collection<QueueId> queues) {
        taken.add(key);
        windows.addCopied(key, WindowLines.write(events).length, counts(events, queues));
    }

    /** Whether the outbox of this process has a window that another one copied, and no sink has confirmed it. */
    public boolean holds(String key) {
        return taken.contains(key);
    }

    /** The outbox of this process has a commit. */
    public void committed(
            Map<String, byte[]> entries, Map<EventKind, List<byte[]>> events, Collection<QueueId> queues) {
        if (!replica.isShared()) {
            return;
        }
        if (!events.isEmpty()) {
            var key = "%s%s/%016d".formatted(WINDOW, author, ++number);
            var copy = WindowLines.write(events);
            if (windows.add(key, copy.length, counts(events, queues))) {
                copies.put(key, copy);
            }
        }
        checkpoint.putAll(entries);
    }

    private static Map<String, Integer> counts(Map<EventKind, List<byte[]>> events, Collection<QueueId> queues) {
        var counts = new HashMap<String, Integer>();
        queues.stream()
                .filter(queue -> events.containsKey(queue.kind()))
                .forEach(queue ->
                        counts.put(queue.label(), events.get(queue.kind()).size()));
        return counts;
    }

    /**
     * Removes copies of windows that all sinks have confirmed, and writes what is new. One write at a time; after a
     * failure the next call repeats it.
     *
     * @param waiting how many events wait in a queue of the outbox
     * @param setAside how many rows of the outbox were set aside as damaged
     */
    public Future<Void> write(ToLongFunction<String> waiting, LongSupplier setAside) {
        for (var key : windows.takeConfirmed(waiting, setAside)) {
            if (copies.remove(key) == null) {
                dropped.add(key);
                taken.remove(key);
            }
        }
        if (writing.isComplete() && !(copies.isEmpty() && checkpoint.isEmpty() && dropped.isEmpty())) {
            writing = writeAll();
        }
        return writing;
    }

    private Future<Void> writeAll() {
        var newCopies = copies;
        var entries = checkpoint;
        var removed = new ArrayList<>(dropped);
        copies = new LinkedHashMap<>();
        checkpoint = new LinkedHashMap<>();
        return replica.put(newCopies)
                .compose(put -> entries.isEmpty()
                        ? Future.succeededFuture()
                        : put(CHECKPOINT + author + "/", entries).compose(done -> removeOutdated()))
                .compose(put -> replica.remove(removed))
                .onSuccess(done -> {
                    dropped.removeAll(removed);
                    failure = Optional.empty();
                })
                .onFailure(failed -> {
                    failure = Optional.of(failed);
                    newCopies.forEach(copies::putIfAbsent);
                    copies.keySet().removeAll(dropped);
                    entries.forEach(checkpoint::putIfAbsent);
                });
    }

    private Future<Void> removeOutdated() {
        var keys = outdated;
        outdated = Set.of();
        return replica.remove(keys).onFailure(failed -> outdated = keys);
    }

    private Future<Void> put(String prefix, Map<String, byte[]> entries) {
        var written = new HashMap<String, byte[]>();
        var removed = new ArrayList<String>();
        entries.forEach((name, value) -> {
            if (value.length == 0) {
                removed.add(prefix + name);
            } else if (!name.equals(clock)) {
                written.put(prefix + name, value);
            }
        });
        var last = Optional.ofNullable(entries.get(clock));
        return replica.put(written)
                .compose(put -> replica.remove(removed))
                .compose(put -> last.map(value -> replica.put(Map.of(prefix + clock, value)))
                        .orElseGet(Future::succeededFuture));
    }

    /** Why the last write failed; empty if it did not. */
    public Optional<Throwable> failure() {
        return failure;
    }

    /** The bytes of windows that have copies. */
    public long bytes() {
        return windows.bytes();
    }

    /** The number of windows that only the outbox of this process has. */
    public int withoutCopy() {
        return windows.withoutCopy() + copies.size();
    }
}
