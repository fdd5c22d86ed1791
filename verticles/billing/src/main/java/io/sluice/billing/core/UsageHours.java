package io.sluice.billing.core;

import io.sluice.messages.billing.VmBill;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What this process billed of each VM, and what it reported as gaps, in the present hour and the 23 before. VMs of one
 * name share their hours; those of a deleted VM stay until they are a day old.
 *
 * <p>A VM takes about 550 bytes, which is 11 MB for 20 000 of them. Of more than {@value #VMS_MAX} VMs, the one without
 * use for the longest time is dropped; if each has use in the present hour, the new one is not kept.
 */
public final class UsageHours {
    /** How many hours are kept of a VM. */
    public static final int HOURS = 24;

    /** How many VMs are kept. */
    public static final int VMS_MAX = 50_000;

    private static final int SECONDS = 3_600;

    private final Instant since;
    private final int vmsMax;
    private final LinkedHashMap<String, VmHours> vms = new LinkedHashMap<>();
    private boolean dropped;

    /** @param since when this process began to bill */
    public UsageHours(Instant since) {
        this(since, VMS_MAX);
    }

    UsageHours(Instant since, int vmsMax) {
        this.since = since;
        this.vmsMax = vmsMax;
    }

    /** Adds a usage record; one that lasts into several hours is divided among them by time. */
    public void billed(UsageRecord record) {
        hoursOf(record.key(), record.start(), record.stop()).ifPresent(vm -> {
            vm.add(VmHours.COMPUTE, record.start(), record.stop(), record.computeSeconds());
            vm.add(VmHours.ACTIVE, record.start(), record.stop(), record.activeSeconds());
        });
    }

    /** Adds a gap, divided among its hours; time that is billed at a wrong size is none. */
    public void missed(Gap gap) {
        switch (gap.cause()) {
            case RESTART -> add(VmHours.RESTART, gap);
            case WATCH -> add(VmHours.WATCH, gap);
            case LATE -> {}
        }
    }

    private void add(int cause, Gap gap) {
        hoursOf(gap.key(), gap.from(), gap.to())
                .ifPresent(
                        vm -> vm.add(cause, gap.from(), gap.to(), gap.length().toMillis()));
    }

    /** Returns the hours of the VMs with that name. */
    public VmBill of(String label, Instant now) {
        var vm = vms.get(label);
        if (vm == null) {
            return dropped ? new VmBill.Unknown(vmsMax) : new VmBill.Billed(since, List.of());
        }
        return new VmBill.Billed(vm.since, vm.until(hour(now)));
    }

    /** Returns the number of VMs that are kept. */
    int size() {
        return vms.size();
    }

    private Optional<VmHours> hoursOf(MeterKey key, Instant from, Instant to) {
        var label = key.vm().label();
        var hour = hour(to);
        var known = Optional.ofNullable(vms.get(label));
        var vm = known.or(
                () -> hasRoom(hour) ? Optional.of(new VmHours(dropped ? from : since, hour)) : Optional.empty());
        vm.ifPresentOrElse(kept -> vms.putLast(label, kept), () -> dropped = true);
        return vm;
    }

    /** The first VM is the one without use for the longest time. */
    private boolean hasRoom(long hour) {
        while (!vms.isEmpty() && vms.firstEntry().getValue().newest <= hour - HOURS) {
            vms.pollFirstEntry();
        }
        if (vms.size() < vmsMax) {
            return true;
        }
        boolean isIdle = vms.firstEntry().getValue().newest < hour;
        if (isIdle) {
            vms.pollFirstEntry();
            dropped = true;
        }
        return isIdle;
    }

    private static long hour(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), SECONDS);
    }

    /** The hours of one VM; an hour has the place of its number modulo {@link #HOURS}. */
    private static final class VmHours {
        static final int COMPUTE = 0;
        static final int ACTIVE = 1;
        static final int RESTART = 2;
        static final int WATCH = 3;
        private static final int COLUMNS = 4;

        private final Instant since;
        private final int[] cells = new int[HOURS * COLUMNS];
        private long newest;

        VmHours(Instant since, long hour) {
            this.since = since;
            this.newest = hour;
        }

        void add(int column, Instant from, Instant to, long amount) {
            long last = hour(to);
            clearUntil(last);
            double lengthMs = Duration.between(from, to).toMillis();
            long before = 0;
            for (long hour = hour(from); hour <= last; hour++) {
                long passedMs = (hour + 1) * SECONDS * 1_000 - from.toEpochMilli();
                long until = hour == last ? amount : (long) (amount * Math.min(1, passedMs / lengthMs));
                add(column, hour, until - before);
                before = until;
            }
        }

        private void clearUntil(long hour) {
            for (long next = Math.max(newest, hour - HOURS) + 1; next <= hour; next++) {
                Arrays.fill(cells, cell(next, 0), cell(next, COLUMNS), 0);
            }
            newest = Math.max(newest, hour);
        }

        private void add(int column, long hour, long amount) {
            if (hour > newest - HOURS) {
                int cell = cell(hour, column);
                cells[cell] = (int) Math.min(Integer.MAX_VALUE, cells[cell] + amount);
            }
        }

        List<VmBill.Hour> until(long present) {
            return LongStream.rangeClosed(present - HOURS + 1, newest)
                    .filter(hour -> hour > newest - HOURS)
                    .mapToObj(this::read)
                    .filter(hour ->
                            hour.computeSeconds() + hour.activeSeconds() + hour.restartMs() + hour.watchMs() > 0)
                    .toList();
        }

        private VmBill.Hour read(long hour) {
            return new VmBill.Hour(
                    hour * SECONDS,
                    cells[cell(hour, COMPUTE)],
                    cells[cell(hour, ACTIVE)],
                    cells[cell(hour, RESTART)],
                    cells[cell(hour, WATCH)]);
        }

        private static int cell(long hour, int column) {
            return Math.floorMod(hour, HOURS) * COLUMNS + column;
        }
    }
}
