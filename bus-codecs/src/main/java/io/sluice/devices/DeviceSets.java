package io.sluice.devices;

import io.sluice.devices.DeviceMisfit.Cause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The sets of devices that can serve one request, and the best of them. */
final class DeviceSets {
    /** More sets than this are not compared one by one; then one set is grown from each device. */
    private static final int COMPARED_MAX = 5_000;

    private final DeviceRoom room;
    private final GpuRequest request;
    private final int[] candidates;

    /**
     * A set of devices.
     *
     * @param at where they are, sorted
     * @param tier the number of their worst link
     */
    record DeviceSet(int[] at, int tier) {}

    DeviceSets(DeviceRoom room, GpuRequest request) {
        this.room = room;
        this.request = request;
        var fitting = new int[room.count()];
        int count = 0;
        for (int at = 0; at < room.count(); at++) {
            if (fits(at)) {
                fitting[count++] = at;
            }
        }
        candidates = Arrays.copyOf(fitting, count);
    }

    private boolean fits(int at) {
        var device = room.device(at);
        var each = request.each();
        return device.healthy()
                && request.selector().allows(device)
                && room.freeMiB(at) >= each.memoryOf(device)
                && room.freeCore(at) >= each.coreOf(device)
                && (!each.exclusive() || room.isIdle(at));
    }

    Optional<DeviceSet> best() {
        int size = request.devices();
        if (candidates.length < size) {
            return Optional.empty();
        }
        return sets(size).stream().filter(this::isAllowed).min(this::compare);
    }

    private boolean isAllowed(DeviceSet set) {
        return !request.selector().scopeRequired()
                || set.tier <= request.selector().scope().worst().ordinal();
    }

    private List<DeviceSet> sets(int size) {
        var sets = new ArrayList<DeviceSet>();
        if (size > 1 && subsets(candidates.length, size) > COMPARED_MAX) {
            for (int start : candidates) {
                sets.add(grown(start, size));
            }
        } else {
            collect(new int[size], 0, 0, sets);
        }
        return sets;
    }

    private void collect(int[] chosen, int count, int from, List<DeviceSet> sets) {
        if (count == chosen.length) {
            sets.add(new DeviceSet(chosen.clone(), tier(chosen, count)));
            return;
        }
        for (int next = from; next <= candidates.length - (chosen.length - count); next++) {
            chosen[count] = candidates[next];
            collect(chosen, count + 1, next + 1, sets);
        }
    }

    /** Adds the closest device each time. */
    private DeviceSet grown(int start, int size) {
        var chosen = new int[size];
        chosen[0] = start;
        for (int count = 1; count < size; count++) {
            DeviceSet best = null;
            for (int next : candidates) {
                if (indexOf(chosen, count, next) >= 0) {
                    continue;
                }
                chosen[count] = next;
                var with = new DeviceSet(Arrays.copyOf(chosen, count + 1), tier(chosen, count + 1));
                best = best == null || compare(with, best) < 0 ? with : best;
            }
            System.arraycopy(best.at, 0, chosen, 0, count + 1);
        }
        int tier = tier(chosen, size);
        Arrays.sort(chosen);
        return new DeviceSet(chosen, tier);
    }

    private static int indexOf(int[] chosen, int count, int device) {
        for (int i = 0; i < count; i++) {
            if (chosen[i] == device) {
                return i;
            }
        }
        return -1;
    }

    private int tier(int[] chosen, int count) {
        int worst = 0;
        for (int i = 1; i < count; i++) {
            for (int j = 0; j < i; j++) {
                var link = room.device(chosen[i]).linkTo(room.device(chosen[j]));
                worst = Math.max(worst, link.ordinal());
            }
        }
        return worst;
    }

    /** First by distance, then by room, then by the devices' numbers. */
    private int compare(DeviceSet one, DeviceSet other) {
        int order = Integer.compare(one.tier, other.tier);
        order = order != 0 ? order : Long.compare(freeMiB(one), freeMiB(other));
        order = order != 0 ? order : Long.compare(freeCore(one), freeCore(other));
        return order != 0 ? order : Arrays.compare(one.at, other.at);
    }

    private long freeMiB(DeviceSet set) {
        long sum = 0;
        for (int at : set.at) {
            sum += room.freeMiB(at) - request.each().memoryOf(room.device(at));
        }
        return request.selector().spread() ? -sum : sum;
    }

    private long freeCore(DeviceSet set) {
        long sum = 0;
        for (int at : set.at) {
            sum += room.freeCore(at);
        }
        return request.selector().spread() ? -sum : sum;
    }

    private static long subsets(int of, int size) {
        long count = 1;
        for (int i = 1; i <= Math.min(size, of - size); i++) {
            count = count * (of - i + 1) / i;
            if (count > COMPARED_MAX) {
                return count;
            }
        }
        return count;
    }

    /** Why there is no set. */
    DeviceMisfit misfit() {
        long allowed = 0;
        long healthy = 0;
        long freeMiB = 0;
        int freeCore = 0;
        for (int at = 0; at < room.count(); at++) {
            if (!request.selector().allows(room.device(at))) {
                continue;
            }
            allowed++;
            if (room.device(at).healthy()) {
                healthy++;
                freeMiB = Math.max(freeMiB, room.freeMiB(at));
                freeCore = Math.max(freeCore, room.freeCore(at));
            }
        }
        if (allowed == 0 && room.count() > 0) {
            return new DeviceMisfit(Cause.GPU_MODEL, room.device(0).model());
        }
        if (healthy == 0 && allowed > 0) {
            return new DeviceMisfit(Cause.GPU_UNHEALTHY, "devices=" + allowed);
        }
        if (candidates.length >= request.devices()) {
            return new DeviceMisfit(
                    Cause.GPU_SCOPE, "required " + request.selector().scope());
        }
        return new DeviceMisfit(Cause.GPU_NO_DEVICE_FITS, room(freeMiB, freeCore));
    }

    private String room(long freeMiB, int freeCore) {
        var text = new StringBuilder("max free MiB=" + freeMiB);
        if (request.each().core() > 0) {
            text.append(", max free core=").append(freeCore);
        }
        if (request.each().exclusive()) {
            text.append(", idle devices=").append(candidates.length);
        } else if (request.devices() > 1) {
            text.append(", devices=").append(candidates.length);
        }
        return text.toString();
    }
}
