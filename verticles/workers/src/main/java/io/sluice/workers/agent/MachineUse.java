package io.sluice.workers.agent;

import io.sluice.workers.v1.InstanceUsage;
import io.sluice.workers.v1.NodeUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What this machine and its instances use, by {@code /proc}. CPU is that since the call before. What cannot be read
 * counts as nothing.
 */
final class MachineUse {
    private static final int INSTANCES_MAX = 1_000;
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int CPU_NUMBERS = 8;
    private static final int RESIDENT = 1;
    private static final long PAGE = 4_096;
    private static final long KIB = 1_024;
    private static final double PERCENT = 100;
    private static final long MILLI = 1_000;

    private long busyBefore;
    private long allBefore;

    private record Sample(Duration cpu, Duration at) {}

    private final Map<String, Sample> before = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sample> eldest) {
            return size() > INSTANCES_MAX;
        }
    };

    NodeUsage node() {
        long total = memory("MemTotal:");
        return NodeUsage.newBuilder()
                .setCpuPercent(cpuPercent())
                .setMemoryTotal(total)
                .setMemoryUsed(Math.max(0, total - memory("MemAvailable:")))
                .build();
    }

    private double cpuPercent() {
        var numbers = line(Path.of("/proc/stat"), "cpu ")
                .mapToLong(Long::parseLong)
                .limit(CPU_NUMBERS)
                .toArray();
        if (numbers.length < CPU_NUMBERS) {
            return 0;
        }
        long all = Arrays.stream(numbers).sum();
        long busy = all - numbers[IDLE] - numbers[IO_WAIT];
        double share = all > allBefore ? PERCENT * (busy - busyBefore) / (all - allBefore) : 0;
        busyBefore = busy;
        allBefore = all;
        return share;
    }

    private static long memory(String key) {
        return line(Path.of("/proc/meminfo"), key)
                        .limit(1)
                        .mapToLong(Long::parseLong)
                        .sum()
                * KIB;
    }

    /** The words that follow the beginning of a line. */
    private static Stream<String> line(Path file, String beginning) {
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(beginning))
                    .limit(1)
                    .flatMap(line ->
                            Stream.of(line.substring(beginning.length()).strip().split(" +")));
        } catch (IOException unreadable) {
            return Stream.empty();
        }
    }

    /** Of an instance, with all processes below its guard. */
    InstanceUsage of(String id, ProcessHandle guard) {
        var processes = guard.descendants().toList();
        var cpu = processes.stream()
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
        var now = BootClock.now();
        var earlier = before.put(id, new Sample(cpu, now));
        long millis = earlier == null ? 0 : now.minus(earlier.at()).toMillis();
        long used = millis <= 0 ? 0 : Math.max(0, cpu.minus(earlier.cpu()).toMillis() * MILLI / millis);
        return InstanceUsage.newBuilder()
                .setInstanceId(id)
                .setCpuMillis(used)
                .setMemoryUsed(
                        processes.stream().mapToLong(MachineUse::resident).sum())
                .build();
    }

    private static long resident(ProcessHandle process) {
        try {
            var numbers = Files.readString(Path.of("/proc", Long.toString(process.pid()), "statm"))
                    .split(" ");
            return Long.parseLong(numbers[RESIDENT]) * PAGE;
        } catch (IOException gone) {
            return 0;
        }
    }
}
