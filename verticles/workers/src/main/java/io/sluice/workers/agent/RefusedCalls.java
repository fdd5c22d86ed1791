package io.sluice.workers.agent;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * The system calls that a pod of a worker may not make, as a seccomp filter of the Open Container Initiative's
 * specification. A service needs none of them: they change the machine, or open parts of the kernel that are attacked
 * most. Others stay allowed, as the pod has no capability that they could use.
 */
final class RefusedCalls {
    private static final String REFUSED = "SCMP_ACT_ERRNO";

    /** {@code ENOSYS}, after which a C library uses {@code clone}, whose flags a filter can read. */
    private static final int NOT_IMPLEMENTED = 38;

    private static final long CLONE_NEWUSER = 0x1000_0000L;

    private static final List<String> NAMES = List.of(
            "acct",
            "add_key",
            "bpf",
            "clock_settime",
            "delete_module",
            "finit_module",
            "fsconfig",
            "fsmount",
            "fsopen",
            "fspick",
            "init_module",
            "io_uring_enter",
            "io_uring_register",
            "io_uring_setup",
            "ioperm",
            "iopl",
            "kexec_file_load",
            "kexec_load",
            "keyctl",
            "mount",
            "mount_setattr",
            "move_mount",
            "open_by_handle_at",
            "open_tree",
            "perf_event_open",
            "pivot_root",
            "quotactl",
            "quotactl_fd",
            "reboot",
            "request_key",
            "setns",
            "settimeofday",
            "swapoff",
            "swapon",
            "syslog",
            "umount2",
            "unshare",
            "userfaultfd");

    private RefusedCalls() {}

    /** The filter; the first argument of {@code clone} is its flags. */
    static JsonObject filter() {
        var ownUsers = new JsonObject()
                .put("index", 0)
                .put("value", CLONE_NEWUSER)
                .put("valueTwo", CLONE_NEWUSER)
                .put("op", "SCMP_CMP_MASKED_EQ");
        return new JsonObject()
                .put("defaultAction", "SCMP_ACT_ALLOW")
                .put(
                        "syscalls",
                        new JsonArray()
                                .add(refused(NAMES))
                                .add(refused(List.of("clone3")).put("errnoRet", NOT_IMPLEMENTED))
                                .add(refused(List.of("clone")).put("args", new JsonArray().add(ownUsers))));
    }

    private static JsonObject refused(List<String> names) {
        return new JsonObject().put("names", new JsonArray(names)).put("action", REFUSED);
    }
}
