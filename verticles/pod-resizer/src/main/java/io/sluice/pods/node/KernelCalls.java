package io.sluice.pods.node;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The calls of Linux by which a process waits for what the kernel reports about files, which the JDK does not have.
 * Each fails with the kernel's words.
 */
@SuppressWarnings("restricted")
final class KernelCalls {
    static final int OPEN_READ_WRITE = 2;
    static final int NOT_BLOCKING = 0x800;
    static final int POLL_IN = 1;
    static final int POLL_PRIORITY = 2;
    static final int POLL_ERROR = 8;
    static final int MODIFIED = 2;

    private static final int CLOSED_ON_EXEC = 0x80000;
    private static final int POLL_ADD = 1;
    private static final int AGAIN = 11;
    private static final int INTERRUPTED = 4;
    private static final int WORDS_MAX = 200;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout POINTER = ValueLayout.ADDRESS;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** The kernel packs this structure on one architecture only. */
    private static final boolean IS_PACKED = System.getProperty("os.arch").equals("amd64");

    private static final int DATA_AT = IS_PACKED ? 4 : 8;
    private static final int EVENT_BYTES = DATA_AT + 8;

    private static final MethodHandle OPEN = of("open", Linker.Option.firstVariadicArg(2), POINTER, INT);
    private static final MethodHandle CLOSE = of("close", INT);
    private static final MethodHandle READ = ofLong("read", INT, POINTER, LONG);
    private static final MethodHandle WRITE = ofLong("write", INT, POINTER, LONG);
    private static final MethodHandle EVENT_FD = of("eventfd", INT, INT);
    private static final MethodHandle EPOLL_CREATE = of("epoll_create1", INT);
    private static final MethodHandle EPOLL_CTL = of("epoll_ctl", INT, INT, INT, POINTER);
    private static final MethodHandle EPOLL_WAIT = of("epoll_wait", INT, POINTER, INT, INT);
    private static final MethodHandle INOTIFY_INIT = of("inotify_init1", INT);
    private static final MethodHandle INOTIFY_ADD = of("inotify_add_watch", INT, POINTER, INT);
    private static final MethodHandle INOTIFY_REMOVE = of("inotify_rm_watch", INT, INT);
    private static final MethodHandle STRERROR = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(POINTER, INT));

    private KernelCalls() {}

    /** What is reported of a descriptor, by the token with which it was added. */
    record Ready(int token, int events) {}

    private static MethodHandle of(String name, MemoryLayout... arguments) {
        return handle(name, FunctionDescriptor.of(INT, arguments));
    }

    private static MethodHandle of(String name, Linker.Option option, MemoryLayout... arguments) {
        return handle(name, FunctionDescriptor.of(INT, arguments), option);
    }

    private static MethodHandle ofLong(String name, MemoryLayout... arguments) {
        return handle(name, FunctionDescriptor.of(LONG, arguments));
    }

    private static MethodHandle handle(String name, FunctionDescriptor type, Linker.Option... more) {
        var options = Stream.concat(Stream.of(more), Stream.of(Linker.Option.captureCallState("errno")))
                .toArray(Linker.Option[]::new);
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    static int open(Path file, int flags) throws IOException {
        try (var arena = Arena.ofConfined()) {
            return (int) call(OPEN, arena.allocateFrom(file.toString()), flags | CLOSED_ON_EXEC);
        }
    }

    static void close(int descriptor) throws IOException {
        call(CLOSE, descriptor);
    }

    static void write(int descriptor, byte[] bytes) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var from = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            call(WRITE, descriptor, from, (long) bytes.length);
        }
    }

    /** How many bytes were read; 0 if there are none now. */
    static int read(int descriptor, MemorySegment into) throws IOException {
        return (int) call(READ, descriptor, into, into.byteSize());
    }

    static int eventCounter() throws IOException {
        return (int) call(EVENT_FD, 0, NOT_BLOCKING | CLOSED_ON_EXEC);
    }

    static int inotify() throws IOException {
        return (int) call(INOTIFY_INIT, NOT_BLOCKING | CLOSED_ON_EXEC);
    }

    static int addWatch(int inotify, Path file) throws IOException {
        try (var arena = Arena.ofConfined()) {
            return (int) call(INOTIFY_ADD, inotify, arena.allocateFrom(file.toString()), MODIFIED);
        }
    }

    static void removeWatch(int inotify, int watch) throws IOException {
        call(INOTIFY_REMOVE, inotify, watch);
    }

    static int poll() throws IOException {
        return (int) call(EPOLL_CREATE, CLOSED_ON_EXEC);
    }

    /** Closing the descriptor ends this. */
    static void addToPoll(int poll, int descriptor, int events, int token) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var event = arena.allocate(EVENT_BYTES, Long.BYTES);
            event.set(INT, 0, events);
            event.set(INT, DATA_AT, token);
            call(EPOLL_CTL, poll, POLL_ADD, descriptor, event);
        }
    }

    /** Waits until some descriptors report something. */
    static Ready[] await(int poll, int most) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var events = arena.allocate((long) EVENT_BYTES * most, Long.BYTES);
            int count = (int) call(EPOLL_WAIT, poll, events, most, -1);
            var ready = new Ready[count];
            for (int at = 0; at < count; at++) {
                var event = events.asSlice((long) at * EVENT_BYTES, EVENT_BYTES);
                ready[at] =
                        new Ready(event.get(INT.withByteAlignment(1), DATA_AT), event.get(INT.withByteAlignment(1), 0));
            }
            return ready;
        }
    }

    /** What would block, and what a signal interrupted, has the result 0. */
    private static long call(MethodHandle call, Object... arguments) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            var all = Stream.concat(Stream.of(state), Stream.of(arguments)).toArray();
            long result = ((Number) call.invokeWithArguments(all)).longValue();
            if (result >= 0) {
                return result;
            }
            int number = (int) ERRNO.get(state, 0L);
            if (number == AGAIN || number == INTERRUPTED) {
                return 0;
            }
            var words = (MemorySegment) STRERROR.invokeExact(number);
            throw new IOException(words.reinterpret(WORDS_MAX).getString(0));
        } catch (IOException failed) {
            throw failed;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
