# The tests: C units in t/unit, TAP scripts in t/, the VM's in t/vm.
