package io.sluice.neonvm.core.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class SchedulingFieldsTest {
    private static JsonNode json(String text) {
        return Samples.json(text.replace('\'', '"'));
    }

    @Test
    void picksWhatSchedulingReadsOfAPodAndNothingElse() {
        var pod = json("""
            {'metadata':{'name':'p','namespace':'ns','uid':'u','labels':{'app':'db'},'deletionTimestamp':'2026-01-01T00:00:00Z',
              'annotations':{'long':'text'}},
             'status':{'phase':'Running','startTime':'2026-01-02T03:04:05Z','nominatedNodeName':'m'},
             'spec':{'nodeName':'n','schedulerName':'own','priority':7,'nodeSelector':{'disk':'ssd'},'hostname':'h',
              'affinity':{'nodeAffinity':{'a':1},
               'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'zone'}],
                'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':1}]},
               'podAntiAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':1}]}},
              'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c'}},{'name':'e','ephemeral':{}},{'name':'x','emptyDir':{}}],
              'preemptionPolicy':'Never','schedulingGates':[{'name':'g'}],'resourceClaims':[{'name':'gpu','resourceClaimName':'x'}],
              'initContainers':[
               {'name':'i','ports':[{'hostPort':1}],'resources':{'requests':{'cpu':'2'}}},
               {'name':'s','restartPolicy':'Always','ports':[{'hostPort':2,'containerPort':2,'protocol':'UDP'}]}],
              'containers':[{'name':'c','image':'none','ports':[{'hostPort':3,'hostIP':'10.0.0.1'},{'containerPort':4}],
               'resources':{'requests':{'cpu':'1500m','memory':'1Gi','example.com/gpu':'2'}}}]}}\
            """);
        assertThat(Samples.json(SchedulingFields.pod(pod).toString())).isEqualTo(json("""
            {'name':'p','namespace':'ns','uid':'u','labels':{'app':'db'},'nodeName':'n','schedulerName':'own','priority':7,
             'preemptionPolicy':'Never','nominatedNodeName':'m','startTime':'2026-01-02T03:04:05Z',
             'nodeSelector':{'disk':'ssd'},'nodeAffinity':{'a':1},'podAffinity':[{'topologyKey':'zone'}],'terminating':true,
             'preferredPodAffinity':[{'weight':1}],'preferredPodAntiAffinity':[{'weight':1}],
             'requests':{'cpu':2000,'example.com/gpu':2,'memory':1073741824},
             'hostPorts':[{'hostPort':3,'hostIP':'10.0.0.1'},{'hostPort':2,'protocol':'UDP'}],
             'claims':['c','p-e'],'gates':['g'],'resourceClaims':['gpu']}\
            """));
    }

    @Test
    void picksWhatPreemptionReadsOfADisruptionBudget() {
        var budget = json("""
            {'metadata':{'name':'db','namespace':'ns'},'spec':{'minAvailable':1,'selector':{'matchLabels':{'app':'db'}}},
             'status':{'disruptionsAllowed':2,'currentHealthy':3,'disruptedPods':{'db-1':'2026-01-02T03:04:05Z'}}}\
            """);
        assertThat(Samples.json(SchedulingFields.budget(budget).toString())).isEqualTo(json("""
            {'name':'db','namespace':'ns','selector':{'matchLabels':{'app':'db'}},'disruptionsAllowed':2,
             'disruptedPods':['db-1']}\
            """));
    }

    @Test
    void picksWhatSchedulingReadsOfANode() {
        var node = json("""
            {'metadata':{'name':'n','labels':{'zone':'a'},'annotations':{'x':'y'}},
             'spec':{'unschedulable':true,'taints':[{'key':'k','effect':'NoSchedule'}],'podCIDR':'10.0.0.0/24'},
             'status':{'allocatable':{'cpu':'4','pods':'110'},'capacity':{'cpu':'5'}}}\
            """);
        var fields = SchedulingFields.node(node);
        assertThat(fields.path("allocatable").path("cpu").asLong()).isEqualTo(4_000);
        assertThat(fields.path("allocatable").path("pods").asLong()).isEqualTo(110);
        assertThat(fields.path("unschedulable").asBoolean()).isTrue();
        assertThat(fields.path("taints")).hasSize(1);
        assertThat(fields.fieldNames())
                .toIterable()
                .containsExactly("name", "labels", "taints", "unschedulable", "allocatable");
    }

    @Test
    void picksWhatAClaimNeedsAndAVolumeOffers() {
        var claim = json("""
            {'metadata':{'name':'c','namespace':'ns','uid':'u','annotations':{'volume.kubernetes.io/selected-node':'n','x':'y'}},
             'spec':{'storageClassName':'s','volumeMode':'Block','accessModes':['ReadWriteOnce'],
               'resources':{'requests':{'storage':'1Gi'}},'selector':{'matchLabels':{'a':'b'}}},'status':{'phase':'Pending'}}\
            """);
        assertThat(Samples.json(SchedulingFields.claim(claim).toString())).isEqualTo(json("""
            {'name':'c','namespace':'ns','uid':'u','accessModes':['ReadWriteOnce'],'storageClassName':'s','volumeMode':'Block',
             'selector':{'matchLabels':{'a':'b'}},'requests':{'storage':1073741824},'selectedNode':'n','phase':'Pending'}\
            """));
        var volume = json("""
            {'metadata':{'name':'v'},'spec':{'capacity':{'storage':'2Ki','other':'1'},'claimRef':{'name':'c','namespace':'ns','kind':'x'},
              'storageClassName':'s'},'status':{'phase':'Available'}}\
            """);
        assertThat(Samples.json(SchedulingFields.volume(volume).toString())).isEqualTo(json("""
            {'name':'v','storageClassName':'s','phase':'Available','capacity':{'storage':2048},
             'claimRef':{'namespace':'ns','name':'c'}}\
            """));
        var storageClass = json("""
            {'metadata':{'name':'s'},'provisioner':'p','volumeBindingMode':'Immediate','reclaimPolicy':'Delete'}\
            """);
        assertThat(SchedulingFields.storageClass(storageClass))
                .isEqualTo(json("{'name':'s','provisioner':'p','volumeBindingMode':'Immediate'}"));
    }

    @Test
    void picksTheLimitsOfDriversThatHaveOne() {
        var drivers = json("""
            {'metadata':{'name':'n'},'spec':{'drivers':[{'name':'a','allocatable':{'count':3}},{'name':'b'}]}}\
            """);
        assertThat(SchedulingFields.drivers(drivers)).isEqualTo(json("{'name':'n','limits':{'a':3}}"));
    }
}
