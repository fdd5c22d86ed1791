package io.sluice.cluster.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A network namespace for each process, all on one bridge of this machine, which has an address too. Cuts are on the
 * members' ports only: every gateway stays reachable from here. Needs root.
 */
public final class Namespaces implements Ground {
    private static final String NAME = "sluicetest";
    private static final int SLOTS = 4;
    private static final int OBSERVER = 254;
    private static final int PORT = 5701;
    private static final int BUS_PORT = 15_701;
    private static final int AGENT_PORT = 10_299;
    private static final int OPS_PORT = 9100;
    private static final List<String> CHAINS = List.of("INPUT", "OUTPUT");

    private final Slot slot;
    private final List<Place> places = new ArrayList<>();

    private Namespaces(Slot slot) {
        this.slot = slot;
    }

    /** The names and network of one of several runs on this machine. */
    private record Slot(int number, FileLock lock) {
        String name() {
            return NAME + number;
        }

        String host(int member) {
            return "10.77." + number + "." + member;
        }
    }

    /** Why namespaces are not possible here, in a sentence; empty if they are. */
    public static synchronized Optional<String> unavailable() {
        if (!Command.tried(List.of("id", "-u")).output().equals("0")) {
            return Optional.of("network namespaces need root");
        }
        for (var command : List.of("ip", "iptables")) {
            if (!Command.tried(List.of(command, "-V")).ok()) {
                return Optional.of("the command " + command + " is not installed");
            }
        }
        var probe = NAME + "-probe-" + ProcessHandle.current().pid();
        var made = Command.tried(List.of("ip", "netns", "add", probe));
        if (!made.ok()) {
            return Optional.of("this machine does not permit network namespaces: " + made.output());
        }
        var ruled = Command.tried(List.of("ip", "netns", "exec", probe, "iptables", "-w", "-S"));
        Command.tried(List.of("ip", "netns", "del", probe));
        return ruled.ok() ? Optional.empty() : Optional.of("iptables does not work here: " + ruled.output());
    }

    /**
     * Makes that many namespaces, after it has removed what an earlier run may have left.
     *
     * @throws IllegalStateException if they cannot be made, for instance while too many runs have some
     */
    public static Namespaces make(int processes) {
        for (int number = 1; number <= SLOTS; number++) {
            var lock = lock(number);
            if (lock.isPresent()) {
                return make(new Slot(number, lock.get()), processes);
            }
        }
        throw new IllegalStateException(SLOTS + " runs on this machine have network namespaces of this test");
    }

    private static Namespaces make(Slot slot, int processes) {
        var made = new Namespaces(slot);
        try {
            made.clean();
            made.build(processes);
            return made;
        } catch (RuntimeException failed) {
            made.close();
            throw failed;
        }
    }

    private static Optional<FileLock> lock(int number) {
        var file = Path.of(System.getProperty("java.io.tmpdir"), NAME + number + ".lock");
        try {
            var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            var lock = lock(channel);
            if (lock.isEmpty()) {
                channel.close();
            }
            return lock;
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    /** Tries to lock the file; empty if another process or another test of this process has it. */
    private static Optional<FileLock> lock(FileChannel channel) throws IOException {
        try {
            return Optional.ofNullable(channel.tryLock());
        } catch (OverlappingFileLockException mineAlready) {
            return Optional.empty();
        }
    }

    private void build(int processes) {
        var bridge = slot.name();
        ip("link", "add", bridge, "type", "bridge");
        ip("addr", "add", slot.host(OBSERVER) + "/24", "dev", bridge);
        ip("link", "set", bridge, "up");
        for (int number = 1; number <= processes; number++) {
            add(number);
        }
    }

    private void add(int number) {
        var name = slot.name() + "-" + number;
        var outside = slot.name() + "v" + number;
        ip("netns", "add", name);
        ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", name);
        ip("link", "set", outside, "master", slot.name(), "up");
        ip("-n", name, "addr", "add", slot.host(number) + "/24", "dev", "eth0");
        ip("-n", name, "link", "set", "eth0", "up");
        ip("-n", name, "link", "set", "lo", "up");
        places.add(at(number, slot.host(number), List.of("ip", "netns", "exec", name)));
    }

    private static Place at(int number, String host, List<String> prefix) {
        return new Place(number, host, PORT, BUS_PORT, AGENT_PORT, OPS_PORT, prefix);
    }

    private static void ip(String... words) {
        var command = new ArrayList<>(List.of("ip"));
        command.addAll(Arrays.asList(words));
        Command.run(command);
    }

    private void clean() {
        for (var name : made("ip", "netns", "list")) {
            for (var pid : Command.tried(List.of("ip", "netns", "pids", name))
                    .output()
                    .lines()
                    .toList()) {
                Command.tried(List.of("kill", "-9", pid));
            }
            Command.tried(List.of("ip", "netns", "del", name));
        }
        // What a namespace contained is removed with it, but some time later.
        for (var link : made("ls", "/sys/class/net")) {
            Command.tried(List.of("ip", "link", "del", link));
        }
    }

    /** The names in a list of the command's output that belong to this test. */
    private List<String> made(String... fullList) {
        return Command.tried(List.of(fullList))
                .output()
                .lines()
                .map(line -> line.split(" ", 2)[0])
                .filter(name -> name.startsWith(slot.name()))
                .toList();
    }

    @Override
    public Place place(int number) {
        return places.get(number - 1);
    }

    @Override
    public Place observer() {
        return at(0, slot.host(OBSERVER), List.of());
    }

    @Override
    public Optional<String> undivided() {
        return Optional.empty();
    }

    @Override
    public void cut(Collection<Place> some, Collection<Place> others, Cut how) {
        for (var place : some) {
            for (var other : others) {
                switch (how) {
                    case DROP -> {
                        rule(place, "INPUT", "-s", other, "DROP");
                        rule(place, "OUTPUT", "-d", other, "DROP");
                    }
                    case REJECT -> {
                        rule(place, "INPUT", "-s", other, "REJECT");
                        rule(place, "OUTPUT", "-d", other, "REJECT");
                    }
                    case DROP_SENT -> rule(place, "OUTPUT", "-d", other, "DROP");
                    case DROP_RECEIVED -> rule(place, "INPUT", "-s", other, "DROP");
                }
            }
        }
    }

    /** One end of each connection between members has one of their ports. */
    private static void rule(Place place, String chain, String side, Place other, String outcome) {
        var command = new ArrayList<>(place.prefix());
        command.addAll(List.of("iptables", "-w", "-A", chain, side, other.host(), "-p", "tcp"));
        command.addAll(List.of("-m", "multiport", "--ports", PORT + "," + BUS_PORT, "-j", outcome));
        if (outcome.equals("REJECT")) {
            // Resets have to arrive: those that a rule sends pass the rules like any other packet.
            command.addAll(List.of("--reject-with", "tcp-reset", "!", "--tcp-flags", "RST", "RST"));
        }
        Command.run(command);
    }

    @Override
    public void heal() {
        for (var place : places) {
            for (var chain : CHAINS) {
                var command = new ArrayList<>(place.prefix());
                command.addAll(List.of("iptables", "-w", "-F", chain));
                Command.run(command);
            }
        }
    }

    @Override
    public void close() {
        clean();
        try {
            slot.lock().acquiredBy().close();
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }
}
